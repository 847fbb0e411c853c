import { lazy } from '../deferred.ts'

/** "1 task", "3 tasks" */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`
}

/** "1st", "2nd", "3rd", "11th", "22nd". */
export function ordinal(count: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', many: 'th', zero: 'th', other: 'th' }
  return `${count}${ending[ORDINALS().select(count)]}`
}
const ORDINALS = lazy(() => new Intl.PluralRules('en', { type: 'ordinal' }))
