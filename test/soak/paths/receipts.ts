import { readReceipts } from '../../../src/receipts/read.ts'
import type { Found, WritePath } from '../core/write-path.ts'

export const path: WritePath = {
  name: 'receipts',
  what: 'a receipt of what was shown',
  async write({ receipts }, id) {
    const items = [{ kind: 'learning', source: `learning ${id}`, why: 'the soak', text: `Shown ${id}` }]
    receipts.append({ surface: 'hook', event: 'PreToolUse', run: id, items })
  },
  async find({ config }): Promise<Found> {
    const { receipts } = await readReceipts(config.paths.receipts, { limit: 1_000_000 })
    const damaged = receipts.filter(({ run, items }) => items[0]?.text !== `Shown ${run}`)
    return {
      ids: receipts.map(({ run }) => run),
      damaged: damaged.map(({ run }) => `${run}: says something else`),
    }
  },
}
