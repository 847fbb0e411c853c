/** Bundles the command, the library and the page of the dashboard into dist/; unless --quick, also what only a package needs. */
import { cpSync, globSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { build as buildWithVite } from 'vite'
import { NODE_PARTS } from './node-parts.ts'
import { noteBundled } from './package/bundled.ts'
import { PLAIN_TEXT } from './plain-text.ts'
import { chunksOf } from './shared-chunks.ts'

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

const INPUT = {
  index: 'src/index.ts',
  cli: 'src/cli/main.ts',
  hook: 'src/hooks/main.ts',
  // Programs of their own, started by these file names.
  'embedding-process': 'src/embedding/local/background-process.ts',
  'qdrant-keeper': 'src/search-index/qdrant-sidecar/keeper.ts',
  'pdf-process': 'src/documents/pdf/pdf-process.ts',
}

/** In which steps the programs that are started most load what they need at once. */
const STEPS = {
  hook: [
    { name: 'hook', files: ['src/hooks/hook.ts'] },
    { name: 'answer', files: ['src/hooks/answer.ts', 'src/hooks/heard.ts'] },
    { name: 'kept', files: ['src/sync/new-sessions.ts'] },
    { name: 'event', files: globSync('src/hooks/events/*.ts', { cwd: root }), apart: true },
  ],
  command: [
    { name: 'help', files: ['src/cli/help/at-once.ts'] },
    { name: 'program', files: ['src/cli/program.ts'] },
    { name: 'looking', files: ['src/cli/commands/status.ts'] },
    { name: 'command', files: ['src/cli/command.ts'] },
    { name: 'search', late: true, files: ['src/cli/commands/memory.ts', 'src/cli/commands/search.ts'] },
    { name: 'embedding', late: true, files: ['src/embedding/local.ts'] },
    { name: 'board', late: true, files: ['src/board/board.ts'] },
    {
      name: 'memories',
      late: true,
      files: [
        'src/project-knowledge/project-knowledge.ts',
        'src/conversation-memory/conversations.ts',
        'src/documents/documents.ts',
        'src/storage/sqlite.ts',
        'src/language-model/extractive.ts',
      ],
    },
  ],
  server: [{ name: 'serve', files: ['src/mcp/serve.ts'] }],
}

/**
 * Bundled, so that a command reads a few files instead of hundreds: most of a cold start is opening files.
 * Returns the modules that went in.
 */
async function bundle(): Promise<string[]> {
  const { collect, codeSplitting } = chunksOf(root, STEPS)
  const build = await rolldown({
    cwd: root,
    input: INPUT,
    platform: 'node',
    external: EXTERNAL,
    resolve: { alias: { '@modelcontextprotocol/server/_shims': join(root, 'scripts', 'sdk-shims.ts') } },
    tsconfig: false,
    // No module of ours does anything when it is loaded, so what a command does not use need not be loaded.
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: 'allow-extension',
    plugins: [collect, NODE_PARTS, PLAIN_TEXT],
    // What one program loads late, another needs from its start on.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir: 'dist',
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting,
    // The command looks at the Node by itself, before it loads anything.
    banner: ({ isEntry, name }) => (isEntry && name === 'index' ? "import '../bin/require-node.js'" : ''),
  })
  await build.close()
  // Those of an earlier build have other names.
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const name of readdirSync(join(root, 'dist', 'chunks'))) {
    if (!written.has(`chunks/${name}`)) rmSync(join(root, 'dist', 'chunks', name))
  }
  return modulesIn(output)
}

function modulesIn(output: readonly { type: 'chunk' | 'asset'; moduleIds?: readonly string[] }[]): string[] {
  return output.flatMap((part) => part.moduleIds ?? [])
}

/** How letters of Chinese, Japanese and Korean PDFs are numbered, read one by one when a file needs them. */
function copyLetterMaps(): void {
  cpSync(join(root, 'node_modules', 'pdfjs-dist', 'cmaps'), join(root, 'dist', 'cmaps'), { recursive: true })
}

/** The page is a program of its own, for a browser. */
async function buildPage(): Promise<string[]> {
  const built = await buildWithVite({ configFile: join(root, 'src', 'dashboard', 'page', 'vite.config.ts') })
  if (!('output' in built)) throw new Error('the page was not built in one go: see vite.config.ts')
  return modulesIn(built.output)
}

// Not import.meta.main, which Node 22 does not have.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!quick) rmSync(`${root}/dist`, { recursive: true, force: true })
  const modules = await bundle()
  copyLetterMaps()
  modules.push(...(await buildPage()))
  noteBundled(root, modules)
  if (!quick) {
    await (await import('./types.ts')).bundleTypes(root)
    ;(await import('./native.ts')).packEveryPlatform()
  }
}
