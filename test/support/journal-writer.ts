/** Run as a process of its own: appends records and notes each one only after it was acknowledged. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Journal } from '../../src/feature-memory/journal.ts'
import { iteration } from './records.ts'

const [folder, name, count] = process.argv.slice(2) as [string, string, string]
const journal = new Journal({
  path: join(folder, 'auth.jsonl'),
  cacheDir: join(folder, 'cache'),
  name: 'auth',
})
for (let at = 0; at < Number(count); at++) {
  const summary = `${name} ${at}`
  await journal.append((iterationNumber) => [iteration({ summary, iterationNumber })])
  appendFileSync(join(folder, 'acknowledged', name), `${summary}\n`)
}
