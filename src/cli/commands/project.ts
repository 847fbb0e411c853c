import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { UsageError } from '../../errors.ts'
import { type IdentifiedProject, PROJECT_IDENTITY } from '../../identity/identity.ts'
import { requirePerson } from '../../person.ts'
import { ralphCommand, withExamples } from '../command.ts'

export function register(project: Command): void {
  const id = project
    .command('id', { isDefault: true })
    .description('the id that its memory is filed under, and where else on this machine it lies')
    .option('--same', 'this copy is the same project: it shares its memory')
    .option('--new', 'this copy is a project of its own: it gets a new id')
    .option('--was <id>', 'the project had this id before: take over what is filed under it', projectId)
  withExamples(id, 'ralph project id', 'ralph project id --new')
  ralphCommand<{ same?: boolean; new?: boolean; was?: string }>(
    id,
    async ({ ralph, options, out }) => {
      const { identity, config } = ralph
      if (options.same && options.new)
        throw new UsageError(
          'a copy is the same project or a new one, not both',
          'Give either --same or --new.',
        )
      if (options.same || options.new || options.was)
        await requirePerson(config, 'decide which project this is')
      if (options.same || options.new) await identity.decide(options.same ? 'same' : 'new')
      if (options.was) {
        await identity.takeOver(options.was)
        await ralph.openKnowledge() // takes over the gates and the knowledge; features follow when they are next searched
      }
      const { id, state, key, path, elsewhere, problem } = identity.look()
      out.result({ project: path, state, id: id ?? null, filedUnder: key, elsewhere, problem }, () =>
        described(identity.look()),
      )
    },
    { silences: PROJECT_IDENTITY },
  )
}

function projectId(text: string): string {
  const id = text.trim().toLowerCase()
  if (z.uuid().safeParse(id).success) return id
  throw new InvalidArgumentError('it must be an id as `ralph project id` shows it')
}

function described({ path, id, state, elsewhere, problem }: IdentifiedProject): string {
  return [
    id === undefined ? `${path} has no id: its memory is filed under its path` : `${id}  ${path}`,
    ...elsewhere.map((other) => `also in ${other}${state === 'apart' ? ', which had the id first' : ''}`),
    ...(problem ? [`${problem.message}. ${problem.hint}`] : []),
  ].join('\n')
}
