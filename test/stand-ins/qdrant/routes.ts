import { z } from 'zod'
import * as api from './api.ts'
import { BadRequest, Collection } from './collection.ts'
import { conditionsOf, queryCost } from './rate-limit.ts'
import { Refusal } from './refusal.ts'
import { Strictness } from './strict-mode.ts'

/** What the server holds. */
export interface QdrantState {
  /** Collections as Qdrant would have them, to look at and to tamper with. */
  collections: Map<string, Collection>
  /** Other names for collections. */
  aliases: Map<string, string>
  /** As operators set it for a server. */
  mostCollections: number | undefined
  /** Strict mode of every collection that is made, as operators set it for a server. */
  strictMode: api.StrictMode | undefined
}

export interface Asked {
  method: string
  path: string
  body: unknown
}

type Handler = (parts: { name: string; body: never; state: QdrantState }) => unknown
type Route = readonly [method: string, path: RegExp, body: z.ZodType, handler: Handler, writes: boolean]

const DONE = { operation_id: 1, status: 'completed' }
const COLLECTION = '^/collections/([^/]+)'

const reads = <Body>(
  method: string,
  path: string,
  body: z.ZodType<Body>,
  handler: (parts: { name: string; body: Body; state: QdrantState }) => unknown,
): Route => [method, new RegExp(`${path}$`), body, handler as Handler, false]
const writes: typeof reads = (...given) => [...reads(...given).slice(0, 4), true] as unknown as Route

function the({ collections, aliases }: QdrantState, name: string): Collection {
  const collection = collections.get(aliases.get(name) ?? name)
  if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`)
  return collection
}

function create(name: string, body: api.CreateCollection, state: QdrantState): boolean {
  if (state.collections.has(name))
    throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`)
  if (state.collections.size >= (state.mostCollections ?? Infinity))
    throw new BadRequest(
      `Bad request: Can't create collection with name ${name}. Max collections limit reached: ${state.mostCollections}`,
    )
  if (state.aliases.has(name))
    throw new BadRequest(
      `Wrong input: Can't create collection with name ${name}. Alias with the same name already exists`,
    )
  const strict_mode_config = body.strict_mode_config ?? state.strictMode
  state.collections.set(name, new Collection({ ...body, ...(strict_mode_config && { strict_mode_config }) }))
  return true
}

/** As it is seen by whoever reads. */
function seen(state: QdrantState, name: string): Collection {
  return the(state, name).visible
}

function upsert(collection: Collection, { points, update_mode }: api.Upsert): void {
  new Strictness(collection).upsert(points.length)
  collection.spend('write', Math.max(1, points.length))
  collection.upsert(points, update_mode)
}

function remove(collection: Collection, selection: z.infer<typeof api.Delete>): void {
  if ('filter' in selection) new Strictness(collection).updating(selection.filter)
  const affected = 'filter' in selection ? collection.count(selection.filter) : selection.points.length
  collection.spend('write', Math.max(1, affected))
  collection.remove(selection)
}

function setPayload(collection: Collection, change: api.SetPayload): void {
  new Strictness(collection).updating(change.filter)
  const affected = change.filter ? collection.count(change.filter) : (change.points?.length ?? 0)
  collection.spend('write', Math.max(1, affected))
  collection.setPayload(change)
}

/** All of them are looked at before the first one is answered. */
function queries(collection: Collection, searches: readonly api.Query[]) {
  for (const one of searches) new Strictness(collection).search(one)
  collection.spend(
    'read',
    searches.reduce((sum, one) => sum + queryCost(one), 0),
  )
  return searches.map((one) => collection.query(one))
}

const ROUTES: readonly Route[] = [
  reads('GET', '^/collections', api.NoBody, ({ state }) => ({
    collections: [...state.collections.keys()].map((name) => ({ name })),
  })),
  reads('GET', COLLECTION, api.NoBody, ({ name, state }) => {
    const { config, indexes } = the(state, name)
    return {
      status: 'green',
      config: { params: config, strict_mode_config: config.strict_mode_config ?? null },
      payload_schema: Object.fromEntries(indexes),
    }
  }),
  writes('PUT', COLLECTION, api.CreateCollection, ({ name, body, state }) => create(name, body, state)),
  writes('PATCH', COLLECTION, api.UpdateCollection, ({ name, body, state }) => {
    const { config } = the(state, name)
    config.strict_mode_config = { ...config.strict_mode_config, ...body.strict_mode_config }
    return true
  }),
  writes('POST', '^/collections/aliases', api.ChangeAliases, ({ body, state }) => {
    for (const { create_alias } of body.actions)
      state.aliases.set(create_alias.alias_name, create_alias.collection_name)
    return true
  }),
  writes('DELETE', COLLECTION, api.NoBody, ({ name, state }) => {
    for (const [alias, of] of state.aliases) if (of === name) state.aliases.delete(alias)
    return state.collections.delete(name)
  }),
  writes('PUT', `${COLLECTION}/index`, api.CreateIndex, ({ name, body, state }) => {
    const collection = the(state, name)
    new Strictness(collection).index()
    collection.indexes.set(body.field_name, body.field_schema)
    return DONE
  }),
  writes('PUT', `${COLLECTION}/points`, api.Upsert, ({ name, body, state }) => {
    upsert(the(state, name), body)
    return DONE
  }),
  reads('POST', `${COLLECTION}/points`, api.Retrieve, ({ name, body, state }) => {
    const collection = seen(state, name)
    collection.spend('read', body.ids.length)
    return collection.retrieve(body.ids, body.with_payload, body.with_vector)
  }),
  writes('POST', `${COLLECTION}/points/delete`, api.Delete, ({ name, body, state }) => {
    remove(the(state, name), body)
    return DONE
  }),
  writes('POST', `${COLLECTION}/points/payload`, api.SetPayload, ({ name, body, state }) => {
    setPayload(the(state, name), body)
    return DONE
  }),
  writes('POST', `${COLLECTION}/points/batch`, api.UpdateBatch, ({ name, body, state }) =>
    body.operations.map((operation) => {
      const collection = the(state, name)
      if ('upsert' in operation) upsert(collection, operation.upsert)
      else if ('delete' in operation) remove(collection, operation.delete)
      else setPayload(collection, operation.set_payload)
      return DONE
    }),
  ),
  reads('POST', `${COLLECTION}/points/scroll`, api.Scroll, ({ name, body, state }) => {
    const collection = seen(state, name)
    new Strictness(collection).page(body.limit, body.filter)
    collection.spend('read', 1 + conditionsOf(body.filter))
    return collection.scroll(body)
  }),
  reads('POST', `${COLLECTION}/points/count`, api.Count, ({ name, body, state }) => {
    const collection = seen(state, name)
    new Strictness(collection).exact(body.exact ?? true)
    new Strictness(collection).reading(body.filter)
    collection.spend('read', 1 + conditionsOf(body.filter))
    return { count: collection.count(body.filter, body.exact) }
  }),
  reads(
    'POST',
    `${COLLECTION}/points/query`,
    api.Query,
    ({ name, body, state }) => queries(seen(state, name), [body])[0],
  ),
  reads('POST', `${COLLECTION}/points/query/batch`, api.QueryBatch, ({ name, body, state }) => {
    const collection = seen(state, name)
    new Strictness(collection).searches(body.searches.length)
    return queries(collection, body.searches)
  }),
  writes('POST', `${COLLECTION}/snapshots`, z.unknown(), ({ name, state }) => {
    the(state, name)
    return { name: `${name}-1.snapshot`, size: 1, creation_time: '2026-01-01T00:00:00', checksum: 'c' }
  }),
]

/** The one that serves a request; each is checked against the documentation. */
export function routeOf({ method, path, body }: Asked) {
  for (const [wanted, pattern, schema, handler, isWriting] of ROUTES) {
    const match = wanted === method ? pattern.exec(path) : null
    if (!match) continue
    const name = decodeURIComponent(match[1] ?? '')
    return {
      name,
      isWriting,
      answer: (state: QdrantState): unknown => {
        const parsed = schema.safeParse(body)
        if (!parsed.success)
          throw new Refusal(400, `Format error in JSON body: ${z.prettifyError(parsed.error)}`)
        return handler({ name, body: parsed.data as never, state })
      },
    }
  }
  throw new Refusal(404, `no such path: ${method} ${path}`)
}
