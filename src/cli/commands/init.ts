import type { Command } from 'commander'
import { setUpProject } from '../../project-setup.ts'
import { ralphCommand, withExamples } from '../command.ts'

export function register(init: Command): void {
  withExamples(init, 'ralph init')
  ralphCommand(init, async ({ ralph, out }) => {
    const files = await setUpProject(ralph.config)
    await ralph.identity.key()
    out.result({ project: ralph.config.project, files }, () =>
      [
        `${out.style('bold', 'Ralph Memory')} in ${ralph.config.project}`,
        ...files.map(
          ({ path, action }) =>
            `  ${action === 'created' ? out.style('green', '+') : ' '} ${path}${action === 'kept' ? out.style('dim', '  (kept)') : ''}`,
        ),
        '',
        'Next: record a run of your agent, then ask about it.',
        '  ralph memory record --feature auth --task-id 1 --task-title "Build login form" --transcript run.jsonl',
        '  ralph memory search "what went wrong with the form" --feature auth',
      ].join('\n'),
    )
  })
}
