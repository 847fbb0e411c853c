export interface DoctorFinding {
  check: string
  /** `warning`: works, but less well than it could. */
  level: 'ok' | 'warning' | 'problem'
  detail: string
  /** All of it, where the detail tells of the first only. */
  list?: string[]
  /** What to do about it. */
  hint?: string
  /** It can be mended without asking. */
  mendable?: true
  /** What was done about it. */
  mended?: string
}

/** What a check comes to. */
export type Result = Omit<DoctorFinding, 'check' | 'mendable' | 'mended'>

export function withList(result: Result, list: string[]): Result {
  return list.length > 1 ? { ...result, list } : result
}

export function ok(detail: string): Result {
  return { level: 'ok', detail }
}

export function warning(detail: string, hint: string): Result {
  return { level: 'warning', detail, hint }
}

export function problem(detail: string, hint: string | undefined): Result {
  return { level: 'problem', detail, ...(hint && { hint }) }
}
