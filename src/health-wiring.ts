import type { Board } from './board/board.ts'
import type { Config } from './config.ts'
import type { Deferred } from './deferred.ts'
import type { DocumentsOverview } from './documents/record.ts'
import type { Drivers } from './drivers.ts'
import type { FeatureMemory } from './feature-memory/feature-memory.ts'
import { Health } from './health/health.ts'
import { helperAddress } from './hooks/helper-address.ts'
import type { ProjectIdentity } from './identity/identity.ts'

export interface HealthWiring {
  config: Config
  drivers: Drivers
  identity: ProjectIdentity
  featureMemory: FeatureMemory
  board: Deferred<Board>
  documents: () => Promise<DocumentsOverview>
}

/** The doctor with all that it looks at. */
export function wireHealth({ drivers, ...parts }: HealthWiring): Health {
  return new Health({
    ...parts,
    index: drivers.projectIndex(),
    userIndex: drivers.userIndex(),
    homeIndexes: drivers.homeIndexes(),
    server: drivers.server(),
    embedder: drivers.embedder,
    languageModel: drivers.languageModel,
    storage: drivers.storage,
    mendStorage: () => drivers.mendStorage(),
    helperAddress: () => helperAddress(parts.config.home),
  })
}
