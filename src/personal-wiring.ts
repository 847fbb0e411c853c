import type { Config } from './config.ts'
import { Conversations } from './conversation-memory/conversations.ts'
import { once } from './deferred.ts'
import type { Documents } from './documents/documents.ts'
import type { Drivers } from './drivers.ts'
import { homeId } from './identity/home.ts'
import { requireOutsideRun, requirePerson } from './person.ts'
import type { RetrievalParts } from './retrieval/parts.ts'

interface PersonalWiring {
  config: Config
  drivers: Drivers
  parts: RetrievalParts
}

/** What belongs to a person, with all that it stands on: their conversations, and their documents beside them. */
export function wirePersonal({ config, drivers, parts }: PersonalWiring) {
  const { settings, paths, sessionPlaces } = config
  const personal = async () => {
    const [storage, person] = [await drivers.storage(), await drivers.person()]
    return { ...parts, storage, person }
  }

  const documents = once(async (): Promise<Documents> => {
    const { Documents } = await import('./documents/documents.ts')
    const { person, ...given } = await personal()
    return new Documents({
      ...given,
      whose: { person: person.id, home: () => homeId(paths.homeIdentity) },
      searchDefaults: settings.search,
      requirePerson: (deed) => requireOutsideRun(config, deed),
    })
  })

  const conversations = once(async (): Promise<Conversations> => {
    const { limit, minScore } = settings.search
    return drivers.keep(
      new Conversations({
        ...(await personal()),
        summariser: await drivers.summariser(),
        sessionPlaces,
        requirePerson: (deed) => requirePerson(config, deed),
        searchDefaults: { limit, minSimilarity: minScore },
        languageModel: await drivers.languageModel(),
        spend: await drivers.ledger(),
        others: {
          name: 'documents',
          waiting: async () => (await documents()).waiting(),
          embed: async (signal) => (await documents()).embed({ signal }),
        },
      }),
    )
  })

  return { conversations, documents }
}
