import { RalphError } from '../errors.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Answered, Service } from './service.ts'

/** What a server means that has no such page, rather than no such model: most want a path before it. */
export function wrongOpenAiAddress(
  { status, said }: Answered,
  { url }: Service,
  setting: string,
): RalphError | undefined {
  if (status !== 404 || /model/i.test(said) || !URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return new RalphError('unavailable', `a server answers at ${shownUrl(url)}, but not as OpenAI does (404)`, {
    hint:
      pathname === '/'
        ? `Set ${setting} to ${shownUrl(origin)}/v1`
        : `Set ${setting} to where the service is, e.g. ${shownUrl(origin)}/v1`,
  })
}
