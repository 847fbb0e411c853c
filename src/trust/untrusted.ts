import type { Notices } from '../notices.ts'
import type { Demand } from './demand.ts'

/** The key of the notice that settings of the project wait for a person's trust. */
export const UNTRUSTED_SETTINGS = 'untrusted settings'

export function sayUntrusted(untrusted: readonly Demand[], notices: Notices): void {
  if (untrusted.length === 0) return
  const names = untrusted.map(({ name }) => name).join(', ')
  notices.once({
    key: UNTRUSTED_SETTINGS,
    message: `this project's settings of ${names} have no effect until a person trusts them`,
    hint: 'ralph trust',
    harmless: true,
  })
}
