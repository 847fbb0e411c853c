import type { SimulatedSettings, Truth } from './simulated-project.ts'

export const NO_EFFECT: Truth = { repeats: 1, done: 1, cost: 1 }
/** Of a size that people would notice. */
export const NOTICEABLE_HELP: Truth = { repeats: 0.5, done: 1.5, cost: 0.8 }
export const NOTICEABLE_HARM: Truth = { repeats: 1.8, done: 0.6, cost: 1.2 }

type Share = Pick<SimulatedSettings, 'holdout' | 'easierInTime'>

/** The shares that people may set. */
export const STEADY_SHARES: Readonly<Record<string, Share>> = {
  '0.1': { holdout: () => 0.1 },
  '0.3': { holdout: () => 0.3 },
  '0.5': { holdout: () => 0.5 },
}

/** The share goes up while tasks become easier, as it might when things go well. */
export const CHANGING_SHARE: Share = {
  holdout: (run) => [0.1, 0.2, 0.3, 0.5][Math.floor(run / 75) % 4]!,
  easierInTime: true,
}
