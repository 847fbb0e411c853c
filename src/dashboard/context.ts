import type { Ralph } from '../ralph.ts'
import type { Changes } from './live/changes.ts'

/** What every route works with. */
export interface DashboardContext {
  ralph: Ralph
  /** Nothing can be changed through this page. */
  readOnly: boolean
  /** What changes in this project's memory, whoever changes it. */
  changes: Changes
}
