import type { Command } from 'commander'
import { vi } from 'vitest'
import { runCommand, wholeProgram } from '../../src/cli/program.ts'

/** The names of all commands that do something, such as `memory search`. */
export async function commandNames(): Promise<string[]> {
  return namesIn(await wholeProgram())
    .filter((name) => name !== 'hook')
    .sort()
}

function namesIn(command: Command, above = ''): string[] {
  return command.commands.flatMap((child) => {
    const name = `${above}${child.name()}`
    const own = child.commands.length === 0 || name === 'mcp' ? [name] : []
    return [...own, ...namesIn(child, `${name} `)]
  })
}

/** All that a command prints, in the project and with the home of its caller; without a model, for speed. */
export async function printed(
  words: readonly string[],
  { project, home }: { project: string; home: string },
): Promise<string> {
  let all = ''
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk, ...rest) => {
      all += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      const done = rest.at(-1)
      if (typeof done === 'function') (done as () => void)()
      return true
    }),
  )
  const before = process.cwd()
  process.chdir(project)
  vi.stubEnv('RALPH_HOME', home)
  vi.stubEnv('RALPH_EMBEDDER', 'none')
  try {
    await runCommand(words)
  } finally {
    process.chdir(before)
    process.exitCode = 0
    for (const spy of spies) spy.mockRestore()
  }
  return all
}
