import { closeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf, RalphError } from '../errors.ts'
import { fingerprintBefore } from '../files/lines.ts'
import { makeOwnFolder, openOwnFileNow, readOwnFile, rewriteOwnFile } from '../files/own-files.ts'
import { z } from '../text/schema.ts'
import type { Journal } from './journal.ts'
import { JournalPosition } from './journal-lines.ts'
import type { JournalEnd } from './journal-write.ts'
import { HIGHEST_NUMBER } from './record.ts'

/** What the last append knew, so that the next one reads only what came after it. Disposable. */
const Numbering = z.object({
  position: JournalPosition,
  highest: z.int(),
})
export type Numbering = z.infer<typeof Numbering>

function recallNumbering(journal: Journal): Numbering | undefined {
  const path = journal.cacheFile('json')
  try {
    const text = journal.seal.opened(path, readOwnFile(path).toString('utf8'))
    return text === undefined ? undefined : Numbering.parse(JSON.parse(text))
  } catch {
    return undefined // missing or damaged: the journal itself is counted instead
  }
}

/** Of all that stands in a journal that ends there. */
export async function highestNumber(journal: Journal, end: JournalEnd): Promise<number> {
  const known = recallNumbering(journal)
  const isLevel = known?.position.offset === end.offset && known.position.fingerprint === end.fingerprint
  if (isLevel) return known.highest
  return journal.readAs(numberIn, known?.position, async ({ restarted, items }) => {
    let highest = restarted ? 0 : (known?.highest ?? 0)
    for await (const item of items) if (item.kind === 'record') highest = Math.max(highest, item.record)
    return highest
  })
}

export function rememberNumbering(
  journal: Journal,
  { end, highest }: { end: number; highest: number },
): void {
  const path = journal.cacheFile('json')
  const file = openOwnFileNow(journal.path, 'read')
  try {
    const position = { offset: end, line: 0, fingerprint: fingerprintBefore(file, end) }
    makeOwnFolder(dirname(path))
    const text = JSON.stringify({ position, highest } satisfies Numbering)
    rewriteOwnFile(path, journal.seal.sealed(path, text))
  } catch (error) {
    // Only a shortcut: the record is already safe, so a full disk here must not turn success into failure.
    if (errnoOf(error) === undefined) throw error
  } finally {
    closeSync(file)
  }
}

const NumberedEntry = z.object({
  record: z.object({ iteration_number: z.int().check(z.positive(), z.maximum(HIGHEST_NUMBER)) }),
})

/** The number of a line, whatever else is in it. */
function numberIn(line: string): number {
  try {
    return NumberedEntry.parse(JSON.parse(line)).record.iteration_number
  } catch (cause) {
    throw new RalphError('damaged', 'not a journal entry', { cause })
  }
}
