import { isRalphError, messageOf, RalphError } from '../errors.ts'
import { CHECKS, type DoctorParts } from './checks.ts'
import { type DoctorFinding, FIX, problem, type Result } from './finding.ts'

export type { DoctorParts } from './checks.ts'
export type { DoctorFinding } from './finding.ts'

/** The names of all checks, in their order. */
export const CHECK_NAMES = CHECKS.map(({ name }) => name)

/** Looks at everything memory stands on. With `fix`, mends what can be mended without asking, and looks again. */
export async function examine(parts: DoctorParts, options: { fix?: boolean } = {}): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const name of CHECK_NAMES) findings.push(await examineOne(parts, name, options))
  return findings
}

export async function examineOne(
  parts: DoctorParts,
  name: string,
  { fix = false } = {},
): Promise<DoctorFinding> {
  const check = CHECKS.find((one) => one.name === name)
  if (!check) {
    throw new RalphError('not_found', `there is no check ${JSON.stringify(name)}`, {
      hint: `Checks are: ${CHECK_NAMES.join(', ')}.`,
    })
  }
  const { run, fix: mend } = check
  const found = await guarded(() => run(parts))
  if (!mend || !isMendable(found)) return findingOf(name, found)
  if (!fix) return { ...findingOf(name, found), mendable: true }
  let mended: string | undefined
  const after = await guarded(async () => {
    mended = await mend(parts)
    return run(parts)
  })
  return { ...findingOf(name, after), ...(mended !== undefined && { mended }) }
}

/** What is mendable says so. */
function isMendable({ pending, hint, list = [] }: Result): boolean {
  return pending === true || [hint, ...list].some((text) => text?.includes(FIX))
}

function findingOf(check: string, { pending: _, ...result }: Result): DoctorFinding {
  return { check, ...result }
}

/** A check that breaks is itself a finding. */
async function guarded(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    return problem(messageOf(error), isRalphError(error) ? error.hint : undefined)
  }
}
