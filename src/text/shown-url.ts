import { redact } from './redact.ts'

/** Where a service is, as people may be told: a key in the address (user, password, query) is never printed. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return '(an address that cannot be read)'
  const { protocol, host, pathname } = new URL(url)
  return redact(`${protocol}//${host}${pathname.replace(/\/$/, '')}`)
}

const HIDDEN = '***'
const SECRET_PARAMETER = /key|token|secret|passw|pwd|auth|sig/i

/** The address in full, to be completed by whoever knows the secrets that are left out. */
export function urlWithoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '(an address that cannot be read)'
  const shown = new URL(url)
  if (shown.password !== '') shown.password = HIDDEN
  // A database's user is a name; elsewhere a user without a password is a key.
  else if (shown.username !== '' && /^https?:$/.test(shown.protocol)) shown.username = HIDDEN
  for (const name of [...shown.searchParams.keys()])
    if (SECRET_PARAMETER.test(name)) shown.searchParams.set(name, HIDDEN)
  // To the letter where there is nothing to hide: people compare it with what they set.
  return redact(shown.href === new URL(url).href ? url : shown.href)
}

/** What a library said, without the address it was given and without any other secret. */
export function saidWithoutSecrets(text: string, url: string): string {
  return redact(text.replaceAll(url, shownUrl(url)))
}
