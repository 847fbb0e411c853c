/** The declarations of the public API in one file: what a program that uses the library sees, and nothing of the inside. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

export async function bundleTypes(root: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-types-'))
  try {
    // TypeScript's own entry: by its name alone it is a script for a shell on Windows.
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const tsconfig = join(root, 'tsconfig.types.json')
    execFileSync(process.execPath, [tsc, '-p', tsconfig, '--outDir', folder], { cwd: root, stdio: 'inherit' })
    const build = await rolldown({
      input: { index: join(folder, 'index.d.ts') },
      external: (id) => !id.startsWith('.') && !id.startsWith(folder),
      // Written by TypeScript above; the generator it would otherwise look for has nothing to do.
      plugins: [dts({ dtsInput: true, generator: 'oxc' })],
    })
    await build.write({ dir: join(root, 'dist'), format: 'esm' })
    await build.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
