import type { Command } from 'commander'
import { withExamples } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion.ts'

export function register(completion: Command): void {
  completion.argument('<shell>', SHELLS.join(', '))
  withExamples(
    completion,
    'ralph completion bash >> ~/.bashrc',
    'ralph completion fish > ~/.config/fish/completions/ralph.fish',
  )
  completion.action(async (shell: string) => {
    if (!(SHELLS as readonly string[]).includes(shell))
      completion.error(`error: the shell must be one of: ${SHELLS.join(', ')}`)
    const { wholeProgram } = await import('../program.ts')
    process.stdout.write(completionScript(await wholeProgram(), shell as Shell))
  })
}
