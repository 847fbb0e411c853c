import { rm } from 'node:fs/promises'
import { errnoOf } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { chunksOf, linesOf } from '../files/lines.ts'
import { openOwnFile } from '../files/own-files.ts'
import { redact } from '../text/redact.ts'
import { redactValue } from '../text/redact-value.ts'

/** Nobody looks through more; masking it would keep the loop waiting. */
const LARGEST_KEPT = 32_000_000
const LONGEST_LINE = 4_000_000
const WRITTEN_AT_ONCE = 256_000

/** Masks the secrets in the log of a run that is recorded. What cannot be masked is not kept. */
export async function maskLog(path: string): Promise<void> {
  try {
    const file = await openOwnFile(path, 'read')
    try {
      const { size } = await file.stat()
      if (size > LARGEST_KEPT) await rm(path, { force: true })
      else await writeFileAtomically(path, maskedLines(file), { disposable: true, mode: 0o600 })
    } finally {
      await file.close()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return // the agent never started, or it was cleaned away
    await rm(path, { force: true })
  }
}

/** Many at once: writing them one by one takes longer than masking them. */
async function* maskedLines(file: Parameters<typeof chunksOf>[0]): AsyncGenerator<Uint8Array> {
  let lines = ''
  for await (const { text } of linesOf(chunksOf(file), { longest: LONGEST_LINE })) {
    if (text === undefined) continue
    lines += `${masked(text)}\n`
    if (lines.length < WRITTEN_AT_ONCE) continue
    yield Buffer.from(lines)
    lines = ''
  }
  if (lines !== '') yield Buffer.from(lines)
}

function masked(line: string): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(line)))
  } catch {
    return redact(line) // no JSON: something else spoke up in between
  }
}
