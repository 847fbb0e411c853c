import { snakeKey, snakeKeys } from '../text/case.ts'
import { type Demand, demand } from './demand.ts'

type Values = { [group: string]: unknown }
type Free = (value: unknown) => boolean

const anything: Free = () => true
const only =
  (...values: readonly unknown[]): Free =>
  (value) =>
    values.includes(value)
/** A command may hand it to a shell. */
const plainName: Free = (value) => typeof value === 'string' && /^\w[\w.:/@[\]-]*$/.test(value)

/** What a project may set by itself: it stays on this machine and starts nothing. Whatever is not listed needs trust. */
const FREE: { readonly [group: string]: { readonly [key: string]: Free } } = {
  embedder: { provider: only('local', 'none'), patienceSeconds: anything },
  index: { driver: only('sqlite') },
  storage: { driver: only('sqlite') },
  languageModel: { provider: only('none') },
  search: { limit: anything, minScore: anything },
  hooks: { repeat: anything },
  loop: {
    model: plainName,
    reviewModel: plainName,
    timeLimitMinutes: anything,
    silenceLimitMinutes: anything,
    stagnationLimit: anything,
    reviewEvery: anything,
    gate: anything,
    promptBudget: anything,
    // Said at the start of every loop, and in the status.
    holdout: anything,
    holdoutSeed: anything,
  },
}

/** Whether a value may come from a project without anybody's trust. */
export function isFree(group: string, key: string, value: unknown): boolean {
  return FREE[group]?.[key]?.(value) === true
}

const EFFECTS: { readonly [group: string]: string } = {
  user: 'says under which name you work in the database of a team',
  embedder: 'sends what is remembered and what is asked to this service, with your key for it',
  index: 'keeps the search index, with its texts, on this server, or starts it',
  storage: 'keeps knowledge and conversations in this database',
  languageModel: 'sends what is remembered and asked to this service, with your key for it, at your cost',
  loop: 'starts this command for every iteration of the loop',
}

/** Parts a project's settings into those that take effect by themselves and those that a person has to allow. */
export function partSettings(
  values: Values,
  isTrusted: (demand: Demand) => boolean,
): { effective: Values; demands: Demand[]; untrusted: Demand[] } {
  const effective: Values = {}
  const demands: Demand[] = []
  const untrusted: Demand[] = []
  for (const [group, settings] of Object.entries(values)) {
    if (typeof settings !== 'object' || settings === null) continue
    const entries = Object.entries(settings)
    const free = entries.filter(([key, value]) => isFree(group, key, value))
    effective[group] = Object.fromEntries(free)
    if (free.length === entries.length) continue
    const asked = Object.fromEntries(entries.filter((entry) => !free.includes(entry)))
    const found = demand(
      snakeKey(group),
      EFFECTS[group] ?? 'is not known to be harmless',
      snakeKeys(asked) as object,
    )
    demands.push(found)
    if (isTrusted(found)) effective[group] = settings
    else untrusted.push(found)
  }
  return { effective, demands, untrusted }
}
