import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentenceOf } from '../core/random.ts'
import type { Found, WritePath } from '../core/write-path.ts'

export const path: WritePath = {
  name: 'documents',
  what: 'a document that was taken in',
  repeats: true,
  embeds: true,
  async write({ documents }, id, { world }) {
    mkdirSync(join(world.folder, 'texts'), { recursive: true })
    const file = join(world.folder, 'texts', `${id}.md`)
    writeFileSync(file, `# ${id}\n\n${sentenceOf(id)}\n`)
    const report = await documents.add([file])
    if (report.failed.length > 0) throw new Error(report.failed[0]!.why)
  },
  /** As the workers do: after a kill, or with a new index, vectors are missing. */
  async settle({ documents }) {
    await documents.embed()
  },
  async find({ documents }): Promise<Found> {
    const ids: string[] = []
    const damaged: string[] = []
    for (const { path: file, documents: count, pieces } of await documents.list()) {
      const id = file.match(/([^\\/]+)\.md$/)?.[1] ?? file
      if (count > 0) ids.push(id)
      if (pieces > 1) damaged.push(`${id}: ${pieces} pieces instead of one`)
    }
    return { ids, damaged }
  },
  async search({ documents }, id) {
    const found = await documents.search(sentenceOf(id), { limit: 3, minScore: 0.1 })
    return found.map(({ piece, score }) => [piece.path, piece.text, score])
  },
}
