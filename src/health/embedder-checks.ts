import { NO_EMBEDDER } from '../search-index/query.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { ok, type Result } from './finding.ts'

/**
 * Vectors of other embedders on a server: somebody else's, or one's own of before. Nobody can tell from here whether
 * they are used, so nothing is removed; it is said what there is and how it goes.
 */
export async function checkOtherEmbedders({ config, index, server, embedder }: DoctorParts): Promise<Result> {
  if (!server) return ok('none: the index is a file of your own')
  if (!(await index.check()).ok) return ok('not to be seen while the index is out of order')
  const own = await embedder().then(
    ({ id }) => id,
    () => undefined,
  )
  const others = await othersIn(server, own)
  if (others.size === 0) return ok('none')
  const list = [...others].map(([id, names]) => `${id}: ${some(names)}`)
  const { url, tenants } = config.settings.index
  return {
    level: 'ok',
    detail: `vectors of ${plural(others.size, 'other embedder')} are on the server, and left alone; of ${list[0]}`,
    ...(list.length > 1 && { list }),
    // As tenants they all lie in one collection of the server.
    ...(!tenants && { hint: `What nobody uses any more can go: curl -X DELETE ${url}/collections/NAME` }),
  }
}

async function othersIn(server: SearchIndex, own: string | undefined): Promise<Map<string, string[]>> {
  const others = new Map<string, string[]>()
  for (const { name, embedderId } of await server.collections())
    if (embedderId !== own && embedderId !== NO_EMBEDDER)
      others.set(embedderId, [...(others.get(embedderId) ?? []), name])
  return others
}

const MOST_NAMES = 5

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? `, and ${more} more` : '')
}
