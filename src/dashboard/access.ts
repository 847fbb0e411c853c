import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { bouncePage, type Refusal, refuse } from './door-pages.ts'
import type { Keys } from './keys.ts'
import { WriteLimit } from './write-limit.ts'

export interface AccessRules {
  /** Whoever has one may look, and decide unless `readOnly`. */
  keys: Keys
  /** The port we listen on, known once we do. */
  port: () => number
  readOnly: boolean
}

/** Nothing from elsewhere, nothing inline: text from memory cannot become a program, whatever the page does. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const READS = new Set(['GET', 'HEAD'])
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Frame-Options', 'DENY')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Cache-Control', 'no-store')
}

const OPEN_AGAIN = 'Open the address that ralph dashboard printed, or start it again for a new one.'
const FROM_OUR_PAGE = 'Use the page itself; programs have the commands with --json, and the library.'

/** Only our own page, under our own name, with a key: a site open in the same browser reaches nothing. */
export function guarded({ keys, port, readOnly }: AccessRules): MiddlewareHandler {
  const limit = new WriteLimit()
  return async (c, next) => {
    const cookie = `ralph-${port()}`
    // Another name for this machine, as a hostile site gives itself one, is not ours.
    if (!isOwnHost(c, port()))
      return refuse(c, { message: 'this page answers under its own address only', hint: OPEN_AGAIN })
    const token = c.req.method === 'GET' ? c.req.query('token') : undefined
    if (token !== undefined) {
      if (!keys.opens(token))
        return refuse(c, { message: 'this address is not valid, or not any more', hint: OPEN_AGAIN })
      setCookie(c, cookie, keys.cookie, { httpOnly: true, sameSite: 'Strict', path: '/' })
      return cameFromElsewhere(c) ? bouncePage(c, withoutToken(c)) : c.redirect(withoutToken(c), 303)
    }
    if (isPageFollowedFromElsewhere(c)) return bouncePage(c, withoutToken(c))
    if (isAskedByAnother(c))
      return refuse(c, { message: 'asked by a page that is not ours', hint: FROM_OUR_PAGE })
    if (!keys.isCookie(getCookie(c, cookie) ?? ''))
      return refuse(c, { message: 'this browser has not been let in', hint: OPEN_AGAIN })
    const refusal = READS.has(c.req.method) ? undefined : changeRefused(c, readOnly, limit)
    if (refusal) return refuse(c, refusal)
    await next()
  }
}

function changeRefused(c: Context, readOnly: boolean, limit: WriteLimit): Refusal | undefined {
  if (!CHANGES.has(c.req.method))
    return { message: `${c.req.method} means nothing here`, hint: FROM_OUR_PAGE }
  if (!isSaidToBeOurs(c)) return { message: 'a change has to come from our page', hint: FROM_OUR_PAGE }
  if (readOnly)
    return {
      message: 'this dashboard was started to look only',
      hint: 'Start ralph dashboard in a terminal of your own, without --read-only.',
    }
  const wait = limit.take()
  if (!wait) return undefined
  c.header('Retry-After', String(wait.waitSeconds))
  return { status: 429, message: 'too many changes at once', hint: `Try again in ${wait.waitSeconds} s.` }
}

function isOwnHost(c: Context, port: number): boolean {
  const host = c.req.header('host')
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

/** Followed from a page of another site, a browser keeps our cookie back: from a page of ours it sends it. */
function cameFromElsewhere(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/** A link to a view in somebody's notes: nothing of ours is in the answer, and nothing is done. */
function isPageFollowedFromElsewhere(c: Context): boolean {
  const isPage =
    c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === 'document'
  return cameFromElsewhere(c) && isPage && c.req.method === 'GET' && !c.req.path.startsWith('/api')
}

function isAskedByAnother(c: Context): boolean {
  const origin = c.req.header('origin')
  return cameFromElsewhere(c) || (origin !== undefined && origin !== ownOrigin(c))
}

/** Browsers say one or the other with every change; whatever says neither is no browser. */
function isSaidToBeOurs(c: Context): boolean {
  return c.req.header('origin') === ownOrigin(c) || c.req.header('sec-fetch-site') === 'same-origin'
}

function ownOrigin(c: Context): string {
  return `http://${c.req.header('host')}`
}

/** Only ever a path of our own: `//elsewhere` would be another site. */
function withoutToken(c: Context): string {
  const { pathname, searchParams } = new URL(c.req.url)
  searchParams.delete('token')
  return `/${pathname.replace(/^[/\\]+/, '')}${searchParams.size > 0 ? `?${searchParams}` : ''}`
}
