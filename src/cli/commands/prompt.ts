import type { Command } from 'commander'
import type { Prompt } from '../../loop/prompt/assemble.ts'
import { plural } from '../../text/plural.ts'
import { parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { taskId } from './board/flags.ts'

export function register(prompt: Command): void {
  prompt
    .argument('<task>')
    .option('--budget <tokens>', 'its budget (default: from the settings)', parseWholeNumber('--budget', 200))
  withExamples(prompt, 'ralph prompt 7', 'ralph prompt 7 --budget 2000 --json')
  ralphCommand<{ budget?: number }>(prompt, async ({ ralph, options, out, signal }, task) => {
    const { promptBudget, agent } = ralph.config.settings.loop
    const budget = options.budget ?? promptBudget
    const made = await ralph.loop.prompt(taskId(task!), { budget, agent, signal })
    out.result({ prompt: { budget, ...made } }, () => made.text, { ours: true })
    if (!out.json) out.talk(`\n${account(out, made, budget)}`)
  })
}

/** Goes to stderr: the prompt itself can be piped on. */
function account(out: Output, { sections, leftOut, tokens, items }: Prompt, budget: number): string {
  const rows = sections.map(({ name, tokens: cost }): [string, number] => [name, cost])
  return [
    table(['section', 'tokens'], [...rows, ['whole prompt', tokens]]),
    `budget ${budget}, ${budget - tokens} to spare; ${plural(items.length, 'piece')} of memory`,
    ...leftOut.map((what) => `${out.talkStyle('yellow', 'left out:')} ${what}`),
  ].join('\n')
}
