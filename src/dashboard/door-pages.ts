import type { Context } from 'hono'
import type { ApiError } from './api/errors.ts'

export interface Refusal {
  message: string
  /** The next step. */
  hint: string
  status?: 403 | 429
}

/** Says no: to a person in words, to a program as all errors. Nothing of the project is in it. */
export function refuse(c: Context, { message, hint, status = 403 }: Refusal): Response {
  if (c.req.method === 'GET' && !c.req.path.startsWith('/api'))
    return c.html(
      page(`<h1>Not let in</h1><p>${escaped(sentence(message))}</p><p>${escaped(hint)}</p>`),
      status,
    )
  const code = status === 429 ? 'limit_reached' : 'forbidden'
  return c.json<ApiError>({ error: { code, message, hint } }, status)
}

/** Goes on to the path from a page of ours, so that the browser sends our cookie. */
export function bouncePage(c: Context, path: string): Response {
  const target = escaped(path)
  return c.html(
    page(
      `<p><a href="${target}">To the dashboard</a></p>`,
      `<meta http-equiv="refresh" content="0;url=${target}">`,
    ),
  )
}

function page(body: string, head = ''): string {
  const meta = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
  ].join('')
  return `<!doctype html><html lang="en"><head><title>Ralph Memory</title>${meta}${head}</head><body>${body}</body></html>`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
