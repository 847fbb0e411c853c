import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, ok, type Result, together, warning } from './finding.ts'

const MEANS = 'It only takes room; should it be needed after all, it is built again.'

/** Each database that somebody worked with from this home has an index here, which stays when the settings name another one. */
export async function checkOtherIndexes({ homeIndexes }: DoctorParts): Promise<Result> {
  const others = await homeIndexes?.others().catch(() => undefined)
  if (!homeIndexes) return ok('none: they are on the server')
  if (!others) return ok('not to be seen while the storage cannot be reached')
  const left = others.filter(({ isLeftOver }) => isLeftOver)
  const used = others.filter(({ isLeftOver }) => !isLeftOver)
  const kept = used.map(({ path, bytes, usedAt }) => `${path}, ${megabytes(bytes)}, used ${dayOf(usedAt)}`)
  const found = left.map(({ path, bytes, usedAt }) =>
    warning(`${path} (${megabytes(bytes)}) was last used ${dayOf(usedAt)}`, FIX, MEANS),
  )
  return together(found, kept.join('; ') || 'none')
}

export async function removeOtherIndexes({ homeIndexes }: DoctorParts): Promise<string> {
  const left = ((await homeIndexes?.others()) ?? []).filter(({ isLeftOver }) => isLeftOver)
  for (const { path } of left) await homeIndexes!.remove(path)
  return `removed ${plural(left.length, 'index', 'indexes')} of databases that nobody works with here`
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`
const dayOf = (time: Date) => time.toISOString().slice(0, 10)
