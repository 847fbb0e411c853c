import { PERFORMANCE_PAGES } from '../../bench/peers/report/pages.ts'
import { ATTACK_PAGES } from '../../test/attacks/report/pages.ts'
import { EFFECT_PAGES } from '../../test/effect/pages.ts'
import { ISOLATION_PAGES } from '../../test/isolation/report/pages.ts'
import { QUALITY_PAGES } from '../../test/quality/report/pages.ts'
import { SOAK_PAGES } from '../../test/soak/report/pages.ts'
import type { MeasuredPage } from './measured-page.ts'

/** Every page, or part of one, that is made from kept figures. */
export const MEASURED_PAGES: readonly MeasuredPage[] = [
  ...QUALITY_PAGES,
  ...PERFORMANCE_PAGES,
  ...EFFECT_PAGES,
  ...ISOLATION_PAGES,
  ...SOAK_PAGES,
  ...ATTACK_PAGES,
]
