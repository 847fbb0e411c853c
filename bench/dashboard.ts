/** How long a person waits for the dashboard with 100,000 records in one feature: the server cold, then warm. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startDashboard } from '../src/dashboard/serve.ts'
import { tellStory } from '../src/demo/tell-story.ts'
import { OUTCOMES, parseRecord, toJournalLine } from '../src/feature-memory/record.ts'
import { openRalph } from '../src/ralph.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { launchChromium, whenDrawn } from '../test/support/chromium.ts'
import { newIteration } from '../test/support/records.ts'
import { RandomTexts } from './support/random-texts.ts'

const RECORDS = 100_000
const FEATURE = 'large'
const ADDRESSES = [
  '/',
  `/features/${FEATURE}`,
  `/features/${FEATURE}?tab=errors`,
  `/features/${FEATURE}?tab=files`,
]

const ms = (time: number) => `${Math.round(time).toString().padStart(6)} ms`

await builtCommand()
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-dashboard-'))
const project = join(folder, 'shop')
writeJournal()
const filling = await openRalph({ project, home: join(folder, 'home'), env: {}, onNotice: () => undefined })
await filling.board.addFeature({ name: FEATURE })
await tellStory(filling)
await filling.close()
const browser = await launchChromium()
console.log(`Until a view is drawn, ${RECORDS.toLocaleString('en')} records in one feature`)
// Two servers: what the first has worked out is there for the second, as on the day after.
for (const which of ['the very first time', 'started again']) await visit(which)
await browser.close()
rmSync(folder, { recursive: true, force: true })

/** A journal as a loop would have left it, written at once: recording is measured elsewhere. */
function writeJournal(): void {
  const memory = join(project, '.ralph', 'db', 'memory')
  mkdirSync(memory, { recursive: true })
  const texts = new RandomTexts(1)
  const start = Date.parse('2024-01-01T00:00:00Z')
  for (let from = 1; from <= RECORDS; from += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, at) => {
      const iterationNumber = from + at
      const outcome = OUTCOMES[(iterationNumber * 7) % OUTCOMES.length]!
      const fields = newIteration({ feature: FEATURE, outcome, summary: texts.text(40) })
      const timestamp = new Date(start + iterationNumber * 600_000).toISOString()
      return toJournalLine(
        parseRecord({ ...fields, iterationNumber, timestamp, tokensUsed: 9_000, costUsd: 0.04 }),
      )
    })
    appendFileSync(join(memory, `${FEATURE}.jsonl`), `${lines.join('\n')}\n`)
  }
}

async function visit(which: string): Promise<void> {
  const ralph = await openRalph({
    project,
    home: join(folder, 'home'),
    env: {},
    via: 'page',
    onNotice: () => undefined,
  })
  const dashboard = await startDashboard({ ralph, port: 0, readOnly: true })
  const page = await browser.newPage()
  const { origin } = new URL(dashboard.address)
  const line = async (name: string, address: string) => {
    const before = process.cpuUsage()
    const waited = await drawn(page, address)
    const { user, system } = process.cpuUsage(before)
    console.log(
      `  ${which.padEnd(20)} ${name.padEnd(32)} ${ms(waited)}, of the server's processor ${ms((user + system) / 1_000)}`,
    )
  }
  await line('/ (with the page itself)', dashboard.address)
  for (const address of ADDRESSES) await line(address, origin + address)
  await page.close()
  await dashboard.close()
  await ralph.close()
}

/** From asking to the last thing drawn that the view had to ask for. */
async function drawn(page: Page, address: string): Promise<number> {
  const start = performance.now()
  await page.goto(address)
  await whenDrawn(page)
  return performance.now() - start
}
