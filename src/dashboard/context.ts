import type { Ralph } from '../ralph.ts'

/** What every route works with. */
export interface DashboardContext {
  ralph: Ralph
  /** Nothing can be changed through this page. */
  readOnly: boolean
}
