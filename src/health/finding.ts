export interface DoctorFinding {
  check: string
  /** `warning`: works, but less well than it could. */
  level: FindingLevel
  /** What was found. */
  detail: string
  /** What that means for whoever uses memory. */
  means?: string
  /** All of it, where the detail tells of the first only. */
  list?: string[]
  /** What to do about it. */
  hint?: string
  /** It can be mended without asking. */
  mendable?: true
  /** What was done about it. */
  mended?: string
}

export type FindingLevel = 'ok' | 'warning' | 'problem'

/** What a check comes to. */
export interface Result extends Omit<DoctorFinding, 'check' | 'mendable' | 'mended'> {
  /** Nothing is wrong, and yet there is something that mending does at once instead of later. */
  pending?: true
}

/** What `--fix` mends, where it is not mended by itself. */
export const FIX = 'ralph doctor --fix'

export function ok(detail: string): Result {
  return { level: 'ok', detail }
}

export function pending(detail: string): Result {
  return { level: 'ok', detail, pending: true }
}

export function warning(detail: string, hint: string | undefined, means?: string): Result {
  return { level: 'warning', detail, ...(means && { means }), ...(hint && { hint }) }
}

export function problem(detail: string, hint: string | undefined, means?: string): Result {
  return { level: 'problem', detail, ...(means && { means }), ...(hint && { hint }) }
}

function withList(result: Result, list: string[]): Result {
  return list.length > 1 ? { ...result, list } : result
}

const WEIGHTS: Record<FindingLevel, number> = { ok: 0, warning: 1, problem: 2 }

/** Several that one check has found, as one: the worst first, and none left out. */
export function together(found: readonly Result[], otherwise: string): Result {
  const [worst, ...others] = [...found].sort((a, b) => WEIGHTS[b.level] - WEIGHTS[a.level])
  if (!worst) return ok(otherwise)
  if (others.length === 0) return worst
  const all = [worst, ...others]
  const hints = new Set(all.flatMap(({ hint }) => hint ?? []))
  const isOne = hints.size <= 1
  const lines = all.flatMap(({ detail, list = [detail], hint }) =>
    list.map((line) => (isOne || hint === undefined ? line : `${line} → ${hint}`)),
  )
  const { hint: _, list: __, ...rest } = worst
  const only = [...hints][0]
  return withList({ ...rest, detail: lines[0]!, ...(isOne && only !== undefined && { hint: only }) }, lines)
}
