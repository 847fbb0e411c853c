// A checkpoint in a process of its own, slow enough to be killed in the middle. Prints a line per finished batch.
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Notices } from '../../src/notices.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openTarget } from '../storage/open-target.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'

class SlowEmbedder extends FakeEmbedder {
  override async embed(...asked: Parameters<FakeEmbedder['embed']>): Promise<Float32Array[]> {
    await sleep(20)
    return super.embed(...asked)
  }
}

const [target = '', indexPath = ''] = process.argv.slice(2)
const storage = await openTarget(JSON.parse(target))
const knowledge = new ProjectKnowledge({
  storage,
  index: openSqliteIndex({ path: indexPath }),
  embedder: async () => new SlowEmbedder(),
  notices: new Notices(() => undefined),
  clock: () => Date.parse('2026-03-01T12:00:00Z'),
})
await knowledge.checkpoint('manual', { onProgress: ({ done }) => writeSync(1, `${done}\n`) })
await storage.close()
