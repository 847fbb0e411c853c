import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { median } from './figures.ts'

/** In milliseconds, on the wall and of the processor. */
export interface Taken {
  wall: number
  cpu: number
}

const REPORTER = fileURLToPath(new URL('./report-cpu.cjs', import.meta.url))

/** Runs a program to its end; it must end well. */
export function runOnce(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Taken {
  const begun = performance.now()
  const { status, output } = spawnSync(process.execPath, ['--require', REPORTER, ...args], {
    ...options,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  const wall = performance.now() - begun
  if (status !== 0) throw new Error(`${args.join(' ')}: ${output[2]}`)
  return { wall, cpu: Number(output[3]) }
}

/** One after the other, again and again, so that whatever else the machine does hits all alike. The first turn warms up. */
export async function inTurns(
  programs: { [name: string]: () => Taken | Promise<Taken> },
  rounds: number,
): Promise<Map<string, Taken[]>> {
  const taken = new Map<string, Taken[]>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(programs)) {
      const one = await run()
      if (round > 0) taken.set(name, [...(taken.get(name) ?? []), one])
    }
  }
  return taken
}

export interface Ratio {
  median: number
  least: number
  /** Of the least processor time: what other programs disturb least. */
  processor: number
}

export function ratioOf(ours: readonly Taken[], theirs: readonly Taken[]): Ratio {
  const of = (choose: (values: readonly number[]) => number, key: keyof Taken) =>
    choose(ours.map((one) => one[key])) / choose(theirs.map((one) => one[key]))
  const least = (values: readonly number[]) => Math.min(...values)
  return { median: of(median, 'wall'), least: of(least, 'wall'), processor: of(least, 'cpu') }
}

export function printRow(name: string, taken: readonly Taken[], base: readonly Taken[], goal?: number): void {
  const walls = taken.map(({ wall }) => wall)
  const ratio = ratioOf(taken, base)
  const cells = [
    median(walls).toFixed(0),
    Math.min(...walls).toFixed(0),
    Math.min(...taken.map(({ cpu }) => cpu)).toFixed(0),
    `${ratio.median.toFixed(2)} ×`,
    `${ratio.least.toFixed(2)} ×`,
    `${ratio.processor.toFixed(2)} ×`,
  ]
  const wanted = goal === undefined ? '' : `   at most ${goal} ×: ${verdict(ratio, goal)}`
  console.log(`  ${name.padEnd(22)}${cells.map((cell) => cell.padStart(10)).join('')}${wanted}`)
}

export function printHead(title: string): void {
  const columns = ['median ms', 'least ms', 'cpu ms', 'median', 'least', 'cpu']
  console.log(`${title.padEnd(24)}${columns.map((column) => column.padStart(10)).join('')}`)
}

/** By the clock on a quiet machine; where that is not met, the processor's time says whether the machine is to blame. */
function verdict({ median: typical, processor }: Ratio, goal: number): string {
  if (typical <= goal) return 'met'
  return processor <= goal ? 'met by processor time only' : 'NOT met'
}

export interface Quietness {
  isQuiet: boolean
  load: number
  /** How many times its processor time a bare node takes by the clock. */
  waited: number
  /** How many times its least it takes at the median. */
  spread: number
}

/** `node` is a bare start, many times. */
export function howQuiet(node: readonly Taken[]): Quietness {
  const waited = median(node.map(({ wall }) => wall)) / median(node.map(({ cpu }) => cpu))
  const spread = median(node.map(({ wall }) => wall)) / Math.min(...node.map(({ wall }) => wall))
  const [load = 0] = loadavg()
  const isQuiet = load <= availableParallelism() * 0.75 && startsQuietly({ waited, spread })
  return { isQuiet, load, waited, spread }
}

/** For moments in which the load is our own. */
export function startsQuietly({ waited, spread }: Pick<Quietness, 'waited' | 'spread'>): boolean {
  return waited <= 1.4 && spread <= 1.3
}

/** Figures of a machine that does other things are worth little: says so. `node` is a bare start, many times. */
export function sayHowQuiet(node: readonly Taken[]): void {
  const { isQuiet, load, waited, spread } = howQuiet(node)
  console.log(
    `${isQuiet ? 'The machine is quiet' : 'The machine is NOT quiet'}: load ${load.toFixed(1)} on ${availableParallelism()} processors,` +
      ` a bare node takes ${waited.toFixed(2)} × its processor time, at the median ${spread.toFixed(2)} × its least.`,
  )
  if (!isQuiet)
    console.log('Take the ratios of processor time for what holds, and run it again on a quiet one.')
}
