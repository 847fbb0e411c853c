import type { Command } from 'commander'
import { RalphError } from '../../errors.ts'
import { type IdentifiedProject, PROJECT_IDENTITY } from '../../identity/identity.ts'
import { requirePerson } from '../../person.ts'
import { ralphCommand, withExamples } from '../command.ts'

export function register(project: Command): void {
  const id = project
    .command('id', { isDefault: true })
    .description('the id that its memory is filed under, and where else on this machine it lies')
    .option('--same', 'this copy is the same project: it shares its memory')
    .option('--new', 'this copy is a project of its own: it gets a new id')
  withExamples(id, 'ralph project id', 'ralph project id --new')
  ralphCommand<{ same?: boolean; new?: boolean }>(
    id,
    async ({ ralph, options, out }) => {
      const { identity, config } = ralph
      if (options.same && options.new)
        throw new RalphError('invalid_input', 'a copy is the same project or a new one, not both', {
          hint: 'Give either --same or --new.',
        })
      if (options.same || options.new) {
        await requirePerson(config, 'decide which project this is')
        await identity.decide(options.same ? 'same' : 'new')
      }
      const { id, state, key, path, elsewhere, problem } = identity.look()
      out.result({ project: path, state, id: id ?? null, filedUnder: key, elsewhere, problem }, () =>
        described(identity.look()),
      )
    },
    { silences: PROJECT_IDENTITY },
  )
}

function described({ path, id, state, elsewhere, problem }: IdentifiedProject): string {
  return [
    id === undefined ? `${path} has no id: its memory is filed under its path` : `${id}  ${path}`,
    ...elsewhere.map((other) => `also in ${other}${state === 'apart' ? ', which had the id first' : ''}`),
    ...(problem ? [`${problem.message}. ${problem.hint}`] : []),
  ].join('\n')
}
