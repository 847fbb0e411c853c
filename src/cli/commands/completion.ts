import { Argument, type Command } from 'commander'
import { withExamples } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion.ts'

export function register(completion: Command): void {
  completion.addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
  withExamples(
    completion,
    'ralph completion bash >> ~/.bashrc',
    'ralph completion fish > ~/.config/fish/completions/ralph.fish',
  )
  completion.action(async (shell: string) => {
    const { wholeProgram } = await import('../program.ts')
    process.stdout.write(completionScript(await wholeProgram(), shell as Shell))
  })
}
