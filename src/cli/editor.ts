import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import spawn from 'cross-spawn'
import { inheritedEnvironment } from '../config.ts'
import { messageOf, RalphError } from '../errors.ts'
import { readOwnFile, writeOwnFile } from '../files/own-files.ts'

/** Lets a person change a text in the editor of their choice. Throws when there is none, or it was left with an error. */
export async function editedText(text: string, name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-edit-'))
  const file = join(folder, name)
  try {
    writeOwnFile(file, text, { access: 'create', mode: 0o600 })
    await leaveTo(editorWords(), file)
    return readOwnFile(file).toString('utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** May have arguments of its own, and a path with spaces in quotes: `code --wait`, `"C:\\Program Files\\Editor\\e.exe" -n`. */
export function editorWords(
  { VISUAL, EDITOR }: NodeJS.ProcessEnv = inheritedEnvironment(),
  platform: NodeJS.Platform = process.platform,
): string[] {
  const chosen = VISUAL?.trim() || EDITOR?.trim() || (platform === 'win32' ? 'notepad' : 'vi')
  return [...chosen.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare!,
  )
}

async function leaveTo([command, ...args]: readonly string[], file: string): Promise<void> {
  const failed = (why: string, cause?: unknown) =>
    new RalphError('unavailable', `the editor ${command} ${why}: nothing was changed`, {
      ...{ hint: 'Name another in EDITOR, or give the words with --text and --reason.', cause },
    })
  // Also `code.cmd`, which Windows starts through a shell only.
  const child = spawn(command!, [...args, file], { stdio: 'inherit' })
  const [code] = await once(child, 'exit').catch((error: unknown) => {
    throw failed(`could not be started (${messageOf(error)})`, error)
  })
  if (code !== 0) throw failed(`ended with ${code ?? 'a signal'}`)
}
