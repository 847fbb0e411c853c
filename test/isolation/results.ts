import type { Measured } from '../../scripts/measured/measured-page.ts'
import type { DriverName } from './world/drivers.ts'
import type { Size } from './world/world.ts'

/** What one surface showed on one driver. */
export interface IsolationRow {
  driver: DriverName
  surface: string
  searches: number
  /** Memories shown where they belong. */
  own: number
  refused: number
  leaks: number
}

export interface AskedDriver {
  driver: DriverName
  size: Size
  minutes: number
  /** Why it is not here. */
  skipped?: string
}

export interface IsolationResults extends Measured {
  seed: number
  worlds: AskedDriver[]
  rows: IsolationRow[]
}
