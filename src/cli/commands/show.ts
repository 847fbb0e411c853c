import type { Command } from 'commander'
import { memoryHref } from '../../dashboard/page/kit/memory-address.ts'
import { runningDashboard } from '../../dashboard/run-mark.ts'
import { type Address, shortIdOf } from '../../lookup/address.ts'
import { type Opened, open } from '../../lookup/open.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { named } from '../named.ts'
import type { Output } from '../output.ts'
import { resumeCommand } from '../show/leads.ts'
import { showText } from '../show/text.ts'

export function register(show: Command): void {
  show
    .argument('<id>', 'as search and the lists print it, or enough of its beginning')
    .option('--feature <name>', 'of which feature, where several have something of that id')
  withExamples(show, 'ralph show l-hc79fee8', 'ralph show i-auth-7', 'ralph show t-7 --json')
  ralphCommand<{ feature?: string }>(show, async ({ ralph, options, out }, typed) => {
    const address = await named(ralph, typed!, { feature: options.feature }, out)
    const opened = await open(ralph, address)
    const resume = resumeCommand(opened, ralph.config.project)
    const served = runningDashboard(ralph.config)
    const page = served && `${served}${memoryHref(address)}`
    const leads = { ...(resume && { resume }), ...(page && { dashboard: page }) }
    const text = await showText({ out, project: ralph.config.project }, opened)
    out.result({ id: shortIdOf(address), ...opened, ...leads }, () =>
      [text, '', ...onwards(out, address, opened, leads)].join('\n'),
    )
  })
}

/** What to do next with it. */
function onwards(
  out: Output,
  address: Address,
  opened: Opened,
  { resume, dashboard }: { resume?: string; dashboard?: string },
): string[] {
  const id = shortIdOf(address)
  const steps = [
    ...nextCommands(opened, id),
    ...(resume ? [`${resume}  ${out.style('dim', 'goes on in that session')}`] : []),
    ...(dashboard ? [out.link(dashboard, dashboard)] : []),
  ]
  return [out.style('dim', id), ...steps.map((step) => `→ ${step}`)]
}

function nextCommands(opened: Opened, id: string): string[] {
  switch (opened.kind) {
    case 'learning': {
      const contradicted = opened.learning.conflictsWith.length > 0
      return [contradicted ? `ralph learnings review ${id} --keep-this` : `ralph learnings edit ${id}`]
    }
    case 'task':
      return opened.task.status === 'done' ? [] : [`ralph task done ${opened.task.id}`]
    case 'gate':
      return opened.gate.state === 'waiting'
        ? [`ralph gate approve ${id}, or ralph gate reject ${id} --feedback "…"`]
        : []
    default:
      return []
  }
}
