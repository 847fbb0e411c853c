/** A process of its own that writes one document after another and says, after each, how many are stored. */
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { document, spec } from './documents.ts'

const [path, name, count] = process.argv.slice(2)
const index = openSqliteIndex({ path: path! })
await index.write(spec('a'), {})
for (let number = 0; number < Number(count); number++) {
  const payload = { kind: name!, number }
  await index.write(spec('a'), {
    put: [document(`${name} ${number}`, `note ${number} shared`, { axis: number, payload })],
  })
  process.stdout.write(`${number + 1}\n`)
}
await index.close()
