/** One run in one measure: so much (a cost, a repeated failure) for so many (runs, tasks done). */
export interface DrawnRun {
  /** Runs on one task are not independent of each other. */
  task: string
  told: boolean
  /** The share that was drawn to go without at that time. */
  holdout: number
  amount: number
  per: number
}

/** What two arms of a measure come to, and how sure that is. */
export interface Contrast {
  told: number
  withheld: number
  /** What both come to together. */
  common: number
  /** Told minus withheld, or the logarithm of told by withheld. */
  effect: number
  standardError: number
  /** Grows with the runs, most where both arms get as many. */
  information: number
}

export type Scale = 'difference' | 'ratio'

/**
 * Compares told with withheld runs. Each run has the weight of the other arm's share at its time (overlap weights), so that a
 * share which changed meanwhile does not pass for an effect, and no run weighs more than one. Undefined where
 * an arm has nothing to divide by, or where nothing differs between runs.
 */
export function contrastOf(runs: readonly DrawnRun[], scale: Scale): Contrast | undefined {
  const told = sumsOf(runs, true)
  const withheld = sumsOf(runs, false)
  if (told.per === 0 || withheld.per === 0) return undefined
  const [toldValue, withheldValue] = [told.amount / told.per, withheld.amount / withheld.per]
  const isRatio = scale === 'ratio'
  if (isRatio && (toldValue === 0 || withheldValue === 0)) return undefined
  const common = commonMeans(runs)
  const variance = Math.max(
    varianceOf(runs, ownInfluence(told, withheld, isRatio)),
    varianceOf(runs, commonInfluence(common, { told, withheld, isRatio })),
  )
  if (variance === 0) return undefined
  return {
    told: toldValue,
    withheld: withheldValue,
    common: common.amount / common.per,
    effect: isRatio ? Math.log(toldValue / withheldValue) : toldValue - withheldValue,
    standardError: Math.sqrt(variance),
    information: runs.reduce((sum, { holdout }) => sum + holdout * (1 - holdout), 0),
  }
}

interface ArmSums {
  weight: number
  amount: number
  per: number
}

type Influence = (run: DrawnRun) => number

const weightOf = ({ told, holdout }: DrawnRun) => (told ? holdout : 1 - holdout)

function sumsOf(runs: readonly DrawnRun[], told: boolean): ArmSums {
  const sums = { weight: 0, amount: 0, per: 0 }
  for (const run of runs) {
    if (run.told !== told) continue
    const weight = weightOf(run)
    sums.weight += weight
    sums.amount += weight * run.amount
    sums.per += weight * run.per
  }
  return sums
}

/** How far a run moves the estimate, each arm around its own value. */
function ownInfluence(told: ArmSums, withheld: ArmSums, isRatio: boolean): Influence {
  return (run) => {
    const arm = run.told ? told : withheld
    const aside = weightOf(run) * (run.amount - (arm.amount / arm.per) * run.per)
    return (run.told ? aside : -aside) / (isRatio ? arm.amount : arm.per)
  }
}

/** Of both arms together, where each run weighs what it tells of a difference. */
function commonMeans(runs: readonly DrawnRun[]): { amount: number; per: number } {
  let [weight, amount, per] = [0, 0, 0]
  for (const run of runs) {
    const own = run.holdout * (1 - run.holdout)
    weight += own
    amount += own * run.amount
    per += own * run.per
  }
  return { amount: amount / weight, per: per / weight }
}

/**
 * The same as if both arms were alike. An arm of few runs looks surer than it is when these happen to agree: then this is
 * the larger one, and counts.
 */
function commonInfluence(
  mean: { amount: number; per: number },
  { told, withheld, isRatio }: { told: ArmSums; withheld: ArmSums; isRatio: boolean },
): Influence {
  const unit = isRatio ? mean.amount : mean.per
  return (run) => {
    const aside = (run.amount - (mean.amount / mean.per) * run.per) / unit
    return (weightOf(run) * aside) / (run.told ? told.weight : -withheld.weight)
  }
}

/** Of the sum of all influences: by tasks, or by runs where that is more. */
function varianceOf(runs: readonly DrawnRun[], influence: Influence): number {
  const tasks = new Map<string, number>()
  let byRuns = 0
  for (const run of runs) {
    const moved = influence(run)
    byRuns += moved ** 2
    tasks.set(run.task, (tasks.get(run.task) ?? 0) + moved)
  }
  let byTasks = 0
  for (const moved of tasks.values()) byTasks += moved ** 2
  const few = tasks.size > 1 ? tasks.size / (tasks.size - 1) : 1
  return Math.max(byRuns, byTasks) * few
}
