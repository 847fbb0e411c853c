/** npm, as whoever started us started it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

function npmProgram(): string {
  const program = process.env['npm_execpath']
  if (!program) throw new Error('started without npm: use npm run package')
  return program
}

/** What npm prints. What it complains of goes to the screen; if it fails, that is an error. */
export function npm(folder: string, words: readonly string[]): string {
  return node(folder, [npmProgram(), ...words])
}

/** For calls whose failure says something too. */
export function npmAnswer(folder: string, words: readonly string[]): string {
  return spawnSync(process.execPath, [npmProgram(), ...words], { cwd: folder, encoding: 'utf8' }).stdout
}

export function node(folder: string, words: readonly string[]): string {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } } as const
  return execFileSync(process.execPath, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The file of a tool that development brings. */
export function tool(name: string, file: string): string {
  return join(root, 'node_modules', ...name.split('/'), file)
}

/** What a tool that looks for mistakes says when it finds some. */
export function complaint(words: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? undefined : `${stdout}\n${stderr}`.trim()
}

/** A folder for as long as something is done in it. */
export async function inFolder<T>(purpose: string, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `ralph-${purpose}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
