import type { Command } from 'commander'
import { UsageError } from '../../errors.ts'
import type { TeamMember } from '../../identity/people.ts'
import { requirePerson } from '../../person.ts'
import { checkedLayer } from '../../settings-schema.ts'
import { plural } from '../../text/plural.ts'
import { ralphCommand, withExamples } from '../command.ts'

export function register(user: Command): void {
  user
    .argument('[name]', 'be called so from now on; what is yours stays yours')
    .option('--same', 'this is the same person who has that name on another machine')
  withExamples(user, 'ralph user', 'ralph user anna', 'ralph user --same')
  ralphCommand<{ same?: boolean }>(user, async ({ ralph, options, out }, given) => {
    const { people, configuration, config } = ralph
    if (given !== undefined && options.same)
      throw new UsageError('either a name or --same', 'ralph user --same goes with the name you have now.')
    if (given !== undefined || options.same) await requirePerson(config, 'decide who somebody is')
    if (given === undefined) {
      const you = options.same ? await people.same() : await people.you()
      const team = await people.all()
      out.result({ you, team }, () => described(you.name, team))
      return
    }
    const name = given.trim()
    checkedLayer({ source: 'the name', values: { user: { name } } })
    // The database first: a name that is somebody else's is refused before anything is set.
    await people.rename(name)
    const { setting } = await configuration.set('user.name', name, 'user')
    out.result({ you: { name } }, () => `You are ${name} from now on.`)
    if (setting.value !== name)
      out.talk(`But ${setting.source} says ${setting.shown}, and counts for more: set it there, too.`)
  })
}

function described(you: string, team: readonly TeamMember[]): string {
  if (team.length === 0)
    return `You are ${you}. What is stored is in a file of your own: nobody else reads it.`
  return [
    `You are ${you}.`,
    ...team.map(
      ({ name, isYou, since, machines }) =>
        `${isYou ? '* ' : '  '}${name}  since ${since.slice(0, 10)}, on ${machines.join(', ') || 'no machine yet'}`,
    ),
    `${plural(team.length, 'person', 'people')} in this database. Conversations are private unless shared: ralph conversations share ID`,
  ].join('\n')
}
