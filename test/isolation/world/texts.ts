import { baitOf, markOf, type Origin } from './marks.ts'

/** What every place of the world remembers alike, word by word: of its own it has only two words. */
export const SUBJECTS = [
  'The session cookie was lost after the redirect, since getSession returns a userId and not a user',
  'Migrations time out on the orders table; the index has to be made concurrently, outside the transaction',
  'The price was rounded before the tax was added, so the total differs by a cent',
  'The upload fails for files above ten megabytes, the proxy cuts the request off',
  'Retries of the webhook are delivered twice because the idempotency key is made anew',
  'The cache keeps the old avatar until the service worker is restarted',
  'The export leaves out rows whose date lies in daylight saving time',
  'Connections to the pool are not given back when the query is cancelled',
] as const

export const TITLES = ['Build the login form', 'Add the tax', 'Repair the export', 'Deploy the shop'] as const
export const FILES = ['src/pay.ts', 'src/login.ts', 'docs/notes.md', 'README.md'] as const
export const COMMANDS = ['npx vitest run', 'npm run build', 'node scripts/deploy.js'] as const

/** Begins and ends with whose it is: whatever is cut off, one of them stays. */
export function textOf(origin: Origin, subject: number): string {
  const mark = markOf(origin)
  return `${mark} ${baitOf(origin)} ${SUBJECTS[subject % SUBJECTS.length]} ${mark}`
}

export function errorOf(origin: Origin, subject: number): string {
  return `TypeError: cannot read 'user' of ${baitOf(origin)} in ${TITLES[subject % TITLES.length]} (${markOf(origin)})`
}
