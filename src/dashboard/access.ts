import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { HTTPException } from 'hono/http-exception'

export interface AccessRules {
  /** Whoever knows it may look, and decide unless `readOnly`. */
  token: string
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
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const READS = new Set(['GET', 'HEAD'])

export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Cache-Control', 'no-store')
}

/** Only our own page, under our own name, with the token: a site open in the same browser reaches nothing. */
export function guarded({ token, port, readOnly }: AccessRules): MiddlewareHandler {
  return async (c, next) => {
    const own = [`127.0.0.1:${port()}`, `localhost:${port()}`]
    const host = c.req.header('host') ?? ''
    if (!own.includes(host))
      throw new HTTPException(403, { message: 'this page answers under its own address only' })
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== `http://${host}`)
      throw new HTTPException(403, { message: 'asked by a page that is not ours' })
    const cookie = `ralph-${port()}`
    const given = c.req.query('token')
    if (given !== undefined && c.req.method === 'GET') {
      if (!same(given, token)) {
        deleteCookie(c, cookie)
        throw new HTTPException(403, {
          message: 'this address is not valid: start ralph dashboard for a new one',
        })
      }
      setCookie(c, cookie, token, { httpOnly: true, sameSite: 'Strict', path: '/' })
      const { pathname, searchParams } = new URL(c.req.url)
      searchParams.delete('token')
      return c.redirect(`${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}`, 303)
    }
    if (!same(getCookie(c, cookie) ?? '', token))
      throw new HTTPException(403, { message: 'open the address that ralph dashboard printed' })
    if (!READS.has(c.req.method)) {
      if (origin === undefined && c.req.header('sec-fetch-site') !== 'same-origin')
        throw new HTTPException(403, { message: 'a change has to come from our page' })
      if (readOnly) throw new HTTPException(403, { message: 'this dashboard was started to look only' })
    }
    await next()
  }
}

function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
