import type { MeasuredRun } from '../../src/effect/measured-run.ts'
import { type IterationRecord, parseRecord } from '../../src/feature-memory/record.ts'

/** What memory does to a run that is told something, as factors; 1 throughout: nothing. */
export interface Truth {
  repeats: number
  done: number
  cost: number
}

export interface SimulatedSettings {
  runs: number
  /** The share that goes without at the n-th run. */
  holdout: (run: number) => number
  truth: Truth
  /** Tasks become easier as the project goes on: a share that grows meanwhile must not pass for an effect. */
  easierInTime?: boolean
  /** Nobody draws: the harder a task, the more memory has to say of it, and the sooner it is told. */
  confounded?: boolean
}

export interface SimulatedRun {
  feature: string
  taskId: number
  number: number
  memory: NonNullable<IterationRecord['memory']>
  /** Errors it met, each named by a word of its own. */
  errors: string[]
  isCutOff: boolean
  couldRepeat: boolean
  repeated: boolean
  done: boolean
  costUsd?: number
}

interface OpenTask {
  id: number
  difficulty: number
  /** Some tasks cost more than others, whatever comes of them. */
  size: number
}

const FEATURES = ['cart', 'search', 'billing']
const OPEN_AT_ONCE = 2

/**
 * A project of which is known what memory does to it. Tasks differ in difficulty, which makes runs on one task alike: a hard
 * one fails often, repeats its errors and costs more. Errors come back on other tasks of the feature too. Some runs are cut off, in
 * some memory has nothing to say, some do not say what they cost.
 */
export function simulateProject(seed: number, settings: SimulatedSettings): SimulatedRun[] {
  const random = randomNumbers(seed)
  const features = FEATURES.map((name) => ({
    ...{ name, known: [] as string[], open: [] as OpenTask[] },
    ...{ tasks: 0, runs: 0 },
  }))
  const runs: SimulatedRun[] = []
  for (let at = 0; at < settings.runs; at++) {
    const feature = features[Math.floor(random() * features.length)]!
    const ease = settings.easierInTime ? (3 * at) / settings.runs - 1.5 : 0
    while (feature.open.length < OPEN_AT_ONCE)
      feature.open.push({ id: ++feature.tasks, difficulty: normal(random) - ease, size: normal(random) })
    const which = random() < 0.7 ? 0 : 1
    const task = feature.open[which]!
    const number = ++feature.runs
    const run = { feature: feature.name, number, ...simulateRun(random, task, feature.known, at, settings) }
    feature.known.push(...run.errors.filter((error) => !feature.known.includes(error)))
    if (run.done) feature.open.splice(which, 1)
    runs.push(run)
  }
  return runs
}

function simulateRun(
  random: () => number,
  task: OpenTask,
  known: readonly string[],
  at: number,
  { holdout, truth, confounded = false }: SimulatedSettings,
): Omit<SimulatedRun, 'feature' | 'number'> {
  const share = holdout(at)
  const pieces = random() < 0.08 ? 0 : 1 + Math.floor(random() * 6)
  const given = confounded ? random() < logistic(2 * task.difficulty) : random() >= share
  const does = given && pieces > 0 ? truth : { repeats: 1, done: 1, cost: 1 }
  const couldRepeat = known.length > 0
  const isCutOff = random() < 0.05
  const repeated = random() < Math.min(0.95, logistic(task.difficulty - 0.6) * does.repeats) && couldRepeat
  const isNew = random() < logistic(task.difficulty - 0.5)
  const done = random() < Math.min(0.95, logistic(-0.2 - task.difficulty) * does.done) && !isCutOff
  const costUsd = 0.3 * Math.exp(0.5 * task.size + 0.7 * normal(random)) * does.cost
  return {
    taskId: task.id,
    memory: { given, pieces, ...(!confounded && { holdout: share }) },
    errors: [
      ...(repeated ? [known[Math.floor(random() * known.length)]!] : []),
      ...(isNew ? [word(at)] : []),
    ],
    ...{ isCutOff, couldRepeat, repeated, done },
    ...(random() > 0.05 && { costUsd }),
  }
}

/** As gathering should see them. */
export function asMeasured(runs: readonly SimulatedRun[]): MeasuredRun[] {
  return runs.map(({ number: _, errors: __, ...run }, at) => ({ ...run, timestamp: timeOf(at) }))
}

/** As the journal of a feature holds them. */
export function asRecords(runs: readonly SimulatedRun[], feature: string): IterationRecord[] {
  return runs.flatMap((run, at) => {
    if (run.feature !== feature) return []
    const { taskId, number, memory, errors, isCutOff, done, costUsd } = run
    return parseRecord({
      ...{ feature, taskId, memory, iterationNumber: number, taskTitle: `Task ${taskId}` },
      ...{ timestamp: timeOf(at), summary: 'Worked on it.', outcome: done ? 'success' : 'failure' },
      errors: errors.map((error) => ({ message: `TypeError: '${error}' is not a function` })),
      ending: isCutOff ? { kind: 'service_failed', cause: 'rate_limit' } : { kind: done ? 'done' : 'worked' },
      ...(costUsd !== undefined && { costUsd }),
    })
  })
}

const timeOf = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 600_000).toISOString()

/** Letters only: errors that differ in nothing but a number are the same error. */
const word = (number: number) =>
  `read${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`

const logistic = (value: number) => 1 / (1 + Math.exp(-value))

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Mulberry32: small, and the same on every machine. */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
