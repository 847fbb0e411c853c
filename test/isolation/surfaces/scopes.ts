import type { Kind, Origin } from '../world/marks.ts'
import type { AskedWorld, Asker, WorldProject } from '../world/world.ts'

/** What may be shown to whom. Whatever was forgotten may be shown to nobody. */
export type Scope = (origin: Origin) => boolean

const OF_FEATURES: readonly Kind[] = ['iteration', 'learning', 'board', 'receipt']
const OF_PROJECTS: readonly Kind[] = [...OF_FEATURES, 'gate']

/** What one feature of one project remembers. */
export function featureScope({ project, feature }: Asker): Scope {
  return (origin) =>
    OF_FEATURES.includes(origin.kind) && origin.project === project && origin.feature === feature
}

/** What any feature of one project remembers, and its gates. */
export function projectScope({ project }: WorldProject): Scope {
  return (origin) => OF_PROJECTS.includes(origin.kind) && origin.project === project
}

/** A person's own conversations and documents, and what others of the team share. */
export function personScope({ of }: WorldProject): Scope {
  return ({ kind, team, person }) => {
    if (kind === 'shared') return team === of.team
    return (kind === 'exchange' || kind === 'document') && person === of.person
  }
}

/** Project knowledge is across projects by design: of those who share a storage, and of nobody else. */
export function knowledgeScope(world: AskedWorld, { of }: WorldProject): Scope {
  return ({ kind, team, person }) =>
    kind === 'knowledge' && (world.sharesStorage ? team === of.team : person === of.person)
}

export function anyOf(...scopes: readonly Scope[]): Scope {
  return (origin) => scopes.some((scope) => scope(origin))
}
