import type { Person } from '../identity/person.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import type { Summariser } from '../language-model/summariser.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import type { Ledger } from '../spend/ledger.ts'
import type { Storage } from '../storage/storage.ts'
import type { SessionPlaces } from '../transcripts/kept-sessions.ts'
import type { RequirePerson } from './sharing.ts'
import type { AlsoEmbedded } from './workers/embedding-round.ts'

/** What conversation memory stands on. */
export interface ConversationsOptions extends RetrievalParts {
  storage: Storage
  /** Whose they are. */
  person: Person
  /** Writes the summaries: extractive, or by the configured model. */
  summariser: Summariser
  /** Where agents keep their sessions: read when an import names no other place. */
  sessionPlaces: SessionPlaces
  /** Of a search whose caller names neither. */
  searchDefaults: { limit: number; minSimilarity: number }
  /** For the chat; absent when none is configured. */
  languageModel?: LanguageModel | undefined
  /** What their model and their embedder have cost. */
  spend: Ledger
  /** Asked before others get to read something; absent where nobody is there but a person. */
  requirePerson?: RequirePerson | undefined
  /** What else the pipeline embeds. */
  others?: AlsoEmbedded | undefined
  clock?: (() => Date) | undefined
}
