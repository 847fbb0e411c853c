import type { Command } from 'commander'
import { withExamples } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion.ts'

export function register(program: Command): void {
  const completion = program
    .command('completion')
    .argument('<shell>', SHELLS.join(', '))
    .description('print a completion script for your shell')
  withExamples(
    completion,
    'ralph completion bash >> ~/.bashrc',
    'ralph completion fish > ~/.config/fish/completions/ralph.fish',
  )
  completion.action(async (shell: string) => {
    if (!(SHELLS as readonly string[]).includes(shell))
      completion.error(`error: the shell must be one of: ${SHELLS.join(', ')}`)
    const { buildProgram } = await import('../main.ts')
    process.stdout.write(completionScript(await buildProgram(''), shell as Shell))
  })
}
