/** Bundles the command, the library and the page of the dashboard into dist/, and writes the type declarations beside them (unless --quick). */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { build as buildWithVite } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const quick = process.argv.includes('--quick')

/** Loaded from node_modules at run time: native code, big data, or clients that only some users install. */
const EXTERNAL = [
  /^node:/,
  /^onnxruntime-node/,
  /^@lat\.md\//,
  /^openai/,
  /^@anthropic-ai\//,
  /^@qdrant\//,
  /^ollama/,
  /^pg$/,
  /^pg-/,
]

/**
 * Each by itself: what shares a bundle with the library, which needs everything, ends up loading everything. What each of
 * `starts` imports is loaded together, so it is one file: opening files is most of a cold start.
 */
const BUNDLES = [
  { input: { index: 'src/index.ts' }, starts: ['src/ralph.ts'] },
  { input: { hook: 'src/hooks/main.ts' }, starts: ['src/hooks/hook.ts', 'src/hooks/answer.ts'] },
  {
    input: {
      cli: 'src/cli/main.ts',
      // Programs of their own, started by these file names.
      'embedding-process': 'src/embedding/local/background-process.ts',
      'qdrant-keeper': 'src/search-index/qdrant-sidecar/keeper.ts',
    },
    starts: ['src/version.ts', 'src/cli/program.ts', 'src/cli/command.ts'],
  },
]

/**
 * Importing a part of Node reads everything that it exports, also what Node makes only when asked for it (the streams of
 * `process`, most of `http`, the comparisons of `util`): a third of a cold start. Taken by name, the rest is left alone.
 */
const NODE_PARTS: Plugin = {
  name: 'node-parts',
  renderChunk: (code) =>
    code.replace(
      /^import (?:\* as )?([\w$]+|\{.+\}) from "(node:[^"]+)";$/gm,
      (_, names: string, part: string) => {
        return `const ${names.replaceAll(' as ', ': ')} = globalThis.process.getBuiltinModule("${part}");`
      },
    ),
}

/** Bundled, so that a command reads a few files instead of hundreds: most of a cold start is opening files. */
export async function bundle(): Promise<void> {
  for (const { input, starts } of BUNDLES) {
    const build = await rolldown({
      cwd: root,
      input,
      platform: 'node',
      external: EXTERNAL,
      tsconfig: false,
      // No module of ours does anything when it is loaded, so what a command does not use need not be loaded.
      treeshake: { moduleSideEffects: false },
      plugins: [NODE_PARTS],
      // What one program loads late, another needs from its start on.
      checks: { ineffectiveDynamicImport: false },
    })
    await build.write({
      dir: 'dist',
      format: 'esm',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: {
        groups: starts.map((path) => ({ name: parse(path).name, test: (id) => id === join(root, path) })),
      },
    })
    await build.close()
  }
}

/** The page is a program of its own, for a browser. */
async function buildPage(): Promise<void> {
  await buildWithVite({ configFile: join(root, 'src', 'dashboard', 'page', 'vite.config.ts') })
}

// Not import.meta.main, which Node 22 does not have.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!quick) rmSync(`${root}/dist`, { recursive: true, force: true })
  await bundle()
  await buildPage()
  // TypeScript's own entry: by its name alone it is a script for a shell on Windows.
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  if (!quick) {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: 'inherit' })
  }
}
