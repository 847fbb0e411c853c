import { extract } from '../../src/feature-memory/extract/extract.ts'
import type { AgentRun } from '../../src/transcripts/agent-run.ts'

/** What a reader has to find in a recording, short enough for a table. */
export interface RunSummary {
  session: string
  model?: string
  ending: string
  cause?: string
  /** The agent's last words, or those of the service. */
  said?: string
  /** `failed npm test`; of a tool other than the shell its name and its files. */
  calls: string[]
  /** `modified src/cart.js` */
  files: string[]
  /** Of the record: what it tells as errors, shortened. */
  errors: string[]
  /** Input, output, from the cache. */
  tokens?: [number, number, number]
  cost?: number
}

export function summaryOf(run: AgentRun): RunSummary {
  const record = extract(run, { project: '/home/user/project' })
  const { usage, costUsd, model, service, result } = run
  return {
    session: run.sessionId ?? '',
    ...(model && { model }),
    ending: run.ending,
    ...(service && { cause: service.cause }),
    ...(result?.text && { said: result.text.slice(0, 60) }),
    calls: run.toolCalls.map(({ status, command, name, paths, subAgent }) =>
      [status, subAgent ? '(sub-agent)' : '', command ?? `${name} ${paths.join(' ')}`]
        .filter(Boolean)
        .join(' ')
        .trim(),
    ),
    files: record.filesTouched.map(({ path, action }) => `${action} ${path}`),
    errors: record.errors.map(({ message }) => message.slice(0, 50)),
    ...(usage && { tokens: [usage.input, usage.output, usage.cacheRead] }),
    ...(costUsd !== undefined && { cost: Math.round(costUsd * 1e7) / 1e7 }),
  }
}

/** What is to be found in the recordings of one agent: in both of a run's files, and in one of them only. */
export type Recordings = Record<
  string,
  { both: Partial<RunSummary>; stream?: Partial<RunSummary>; session?: Partial<RunSummary> }
>
