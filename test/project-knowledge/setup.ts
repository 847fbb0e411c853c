import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import type { NewKnowledge } from '../../src/project-knowledge/entry.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { snakeKeys } from '../../src/text/case.ts'
import type { MakeTarget } from '../contracts/storage.ts'
import { openTarget, type StorageTarget } from '../storage/open-target.ts'
import { postgresTarget, sqliteTarget } from '../storage/targets.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The same behaviour is promised on both. */
export const STORAGES: [name: string, makeTarget: MakeTarget][] = [
  ['SQLite', sqliteTarget],
  ['PostgreSQL', postgresTarget],
]

export const DAY = 86_400_000
export const NOW = Date.parse('2026-03-01T12:00:00Z')

export interface Opened<Model extends Embedder = FakeEmbedder> {
  knowledge: ProjectKnowledge
  storage: Storage
  index: SearchIndex
  embedder: Model
  notices: Notice[]
  target: StorageTarget
  indexPath: string
  clock: { now: number }
  /** A second process, as it were: other connections to the same data. */
  again(embedder?: Model): Promise<Opened<Model>>
}

export function openKnowledge(makeTarget: MakeTarget): Promise<Opened>
export function openKnowledge<Model extends Embedder>(
  makeTarget: MakeTarget,
  embedder: Model,
): Promise<Opened<Model>>
export async function openKnowledge(
  makeTarget: MakeTarget,
  embedder: Embedder = new FakeEmbedder(),
): Promise<Opened<Embedder>> {
  const { target, remove } = await makeTarget()
  onTestFinished(remove)
  const indexPath = join(await temporaryFolder(), 'index.db')
  return openAt({ target, indexPath, clock: { now: NOW } }, embedder)
}

async function openAt<Model extends Embedder>(
  place: Pick<Opened, 'target' | 'indexPath' | 'clock'>,
  embedder: Model,
): Promise<Opened<Model>> {
  const storage = await openTarget(place.target)
  const index = openSqliteIndex({ path: place.indexPath })
  onTestFinished(async () => {
    await index.close()
    await storage.close()
  })
  const notices: Notice[] = []
  const knowledge = new ProjectKnowledge({
    storage,
    index,
    embedder: async () => embedder,
    notices: new Notices((notice) => notices.push(notice)),
    clock: () => place.clock.now,
  })
  return {
    ...place,
    knowledge,
    storage,
    index,
    embedder,
    notices,
    again: (other = embedder) => openAt(place, other),
  }
}

type Failure = Extract<NewKnowledge, { kind: 'failure_solution' }>

export function failure(changes: Partial<Failure> = {}): Failure {
  return {
    kind: 'failure_solution',
    project: 'shop',
    failureDescription: 'login test times out waiting for the session cookie',
    errorMessage: 'Error: timeout of 5000ms exceeded',
    solutionSteps: 'await the redirect before reading the session cookie',
    ...changes,
  }
}

/** Entries that have nothing in common, as many as wanted. */
export function failures(count: number, project = 'shop'): Failure[] {
  return Array.from({ length: count }, (_, index) =>
    failure({
      project,
      failureDescription: `${word(index)} ${word(index + 1_000)} broke`,
      errorMessage: '',
      solutionSteps: `repair ${word(index + 2_000)} ${word(index + 3_000)}`,
    }),
  )
}

/** A made-up word of letters only, one for each number. */
function word(number: number): string {
  let text = 'q'
  for (let rest = number + 7; rest > 0; rest = Math.floor(rest / 26))
    text += String.fromCharCode(97 + (rest % 26))
  return `${text}x`
}

export const LOGIN = { description: 'login test times out waiting for the session cookie' }

export async function captureAll({ knowledge }: Opened, entries: readonly NewKnowledge[]): Promise<string[]> {
  const ids: string[] = []
  for (const entry of entries) ids.push((await knowledge.capture(entry)).id)
  return ids
}

/** Many at once, without a flush to the disk for each. */
export async function stageAll({ knowledge }: Opened, entries: readonly NewKnowledge[]): Promise<void> {
  const lines = entries.map((entry) => JSON.stringify(snakeKeys(entry)))
  expect(await knowledge.importJsonl(lines)).toMatchObject({ imported: entries.length })
}
