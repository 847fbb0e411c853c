import type { Board } from '../board/board.ts'
import type { Config } from '../config.ts'
import type { Deferred } from '../deferred.ts'
import type { DocumentsOverview } from '../documents/record.ts'
import type { EmbedderSource } from '../embedding/embedder.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import type { HomeIndexes } from '../home-indexes.ts'
import type { ProjectIdentity } from '../identity/identity.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { StorageSource } from '../storage/storage.ts'
import { checkHooks, checkMcp, mendHooks, mendMcp } from './agent-checks.ts'
import { type CloneFinding, findLinks, findUntrusted } from './clone-checks.ts'
import { checkDocuments } from './documents.ts'
import { checkOtherEmbedders } from './embedder-checks.ts'
import { ok, type Result, warning } from './finding.ts'
import { checkGit, mendGit } from './git-checks.ts'
import { checkLanguageModel, type LanguageModelSource } from './language-model.ts'
import {
  checkHelper,
  checkLocks,
  checkTemporaries,
  removeLocks,
  removeSocket,
  removeTemporaries,
} from './leftover-checks.ts'
import {
  checkBoard,
  checkIndex,
  checkJournals,
  checkOrphans,
  checkUserIndex,
  mendBoard,
  mendIndex,
  mendJournals,
  mendUserIndex,
  removeOrphans,
  tryEmbedder,
} from './memory-checks.ts'
import { checkOtherIndexes, removeOtherIndexes } from './other-indexes.ts'
import {
  checkDisk,
  checkPrivacy,
  checkProject,
  checkSettings,
  checkWritable,
  mendPrivacy,
  mendProject,
} from './project-checks.ts'
import { checkLeases, checkStorage, mendLeases, mendStorage } from './storage-checks.ts'
import { checkUserFiles, setUserFilesAside } from './user-file-checks.ts'

interface Check {
  name: string
  run: (parts: DoctorParts) => Promise<Result>
  /** Mends what `run` calls mendable, safe without asking, and says what it did. */
  fix?: (parts: DoctorParts) => Promise<string>
}

export interface DoctorParts {
  config: Config
  identity: ProjectIdentity
  index: SearchIndex
  /** The user's, of all projects. */
  userIndex: SearchIndex
  /** The user's that are files, one for each database; absent where they are on a server. */
  homeIndexes?: HomeIndexes | undefined
  /** All that is on the server, whoever's it is; absent where the index is a file. */
  server?: SearchIndex | undefined
  embedder: EmbedderSource
  languageModel: LanguageModelSource
  featureMemory: FeatureMemory
  board: Deferred<Board>
  storage: StorageSource
  /** The person's own. */
  documents: () => Promise<DocumentsOverview>
  /** Makes lost tables again, and says what it did. */
  mendStorage: () => Promise<string[]>
  /** Where the helper of hooks listens. */
  helperAddress: () => string
}

/** Everything memory stands on, in the order in which one would look. */
export const CHECKS: readonly Check[] = [
  { name: 'Node', run: async () => ok(`${process.version}, ${process.platform} ${process.arch}`) },
  { name: 'settings', run: checkSettings },
  { name: 'links', run: async ({ config }) => found(findLinks(config), 'none in .ralph') },
  { name: 'project', run: checkProject, fix: mendProject },
  {
    name: 'trust',
    run: async ({ config, board }) => found(await findUntrusted(config, board), 'nothing waits for it'),
  },
  { name: 'writable', run: checkWritable },
  { name: 'disk', run: checkDisk },
  { name: 'privacy', run: checkPrivacy, fix: mendPrivacy },
  { name: 'user files', run: checkUserFiles, fix: setUserFilesAside },
  { name: 'half-written files', run: checkTemporaries, fix: removeTemporaries },
  { name: 'locks', run: checkLocks, fix: removeLocks },
  { name: 'board', run: checkBoard, fix: mendBoard },
  { name: 'journals', run: checkJournals, fix: mendJournals },
  { name: 'index', run: checkIndex, fix: mendIndex },
  { name: 'index of the user', run: checkUserIndex, fix: mendUserIndex },
  { name: 'indexes of other databases', run: checkOtherIndexes, fix: removeOtherIndexes },
  { name: 'left-over collections', run: checkOrphans, fix: removeOrphans },
  { name: 'embedder', run: tryEmbedder },
  { name: 'other embedders', run: checkOtherEmbedders },
  { name: 'language model', run: checkLanguageModel },
  { name: 'storage', run: checkStorage, fix: mendStorage },
  { name: 'unfinished work', run: checkLeases, fix: mendLeases },
  { name: 'documents', run: checkDocuments },
  { name: 'git', run: checkGit, fix: mendGit },
  { name: 'hooks', run: checkHooks, fix: mendHooks },
  { name: 'hook helper', run: checkHelper, fix: removeSocket },
  { name: 'MCP', run: checkMcp, fix: mendMcp },
]

function found(finding: CloneFinding | undefined, otherwise: string): Result {
  return finding ? warning(finding.detail, finding.hint, finding.means) : ok(otherwise)
}
