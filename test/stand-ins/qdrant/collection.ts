import type {
  Condition,
  CreateCollection,
  Field,
  Filter,
  Query,
  Scroll,
  SetPayload,
  StrictMode,
  Upsert,
} from './api.ts'
import { RateLimit } from './rate-limit.ts'

type Point = Upsert['points'][number]
type Selector = boolean | string[] | { exclude: string[] } | undefined

interface Scored {
  id: string | number
  version: number
  score: number
}

/** Thrown as Qdrant would answer. */
export class BadRequest extends Error {}

/** One collection, scored the plain way: every point is looked at. */
export class Collection {
  readonly config: CreateCollection
  readonly indexes = new Map<string, unknown>()
  readonly #points = new Map<string, Point>()
  /** Words of points that were removed or written again: counted among the living until Qdrant gets round to clearing them away. */
  #dead: Point[] = []

  /** Not before its making is over: until then others find nothing in it. */
  isReady = true
  #limits: { of: StrictMode | undefined; read?: RateLimit; write?: RateLimit } = { of: undefined }

  constructor(config: CreateCollection) {
    this.config = config
  }

  /** As others see it while it is being made. */
  get visible(): Collection {
    return this.isReady ? this : new Collection(this.config)
  }

  /** Takes what an operation costs from what may be spent in a minute. */
  spend(kind: 'read' | 'write', cost: number): void {
    const strict = this.config.strict_mode_config
    if (this.#limits.of !== strict) {
      const { read_rate_limit: read, write_rate_limit: write } = (strict?.enabled && strict) || {}
      this.#limits = {
        of: strict,
        ...(read && { read: new RateLimit('Read', read) }),
        ...(write && { write: new RateLimit('Write', write) }),
      }
    }
    this.#limits[kind]?.take(cost)
  }

  upsert(given: readonly Point[], mode: Upsert['update_mode'] = 'upsert'): void {
    for (const point of given) this.#check(point)
    const points = given.filter(({ id }) => {
      const isThere = this.#points.has(String(id))
      return mode === 'upsert' || isThere === (mode === 'update_only')
    })
    for (const point of points) {
      this.#bury(String(point.id))
      this.#points.set(String(point.id), structuredClone(point))
    }
  }

  /** What the optimizer does by and by. */
  vacuum(): void {
    this.#dead = []
  }

  #bury(id: string): void {
    const point = this.#points.get(id)
    if (point) this.#dead.push(point)
    this.#points.delete(id)
  }

  retrieve(ids: readonly (string | number)[], payload: Selector, vector: Selector) {
    return ids
      .map((id) => this.#points.get(String(id)))
      .filter((point) => point !== undefined)
      .map((point) => shown(point, payload ?? true, vector))
  }

  remove(selection: { points: (string | number)[] } | { filter: Filter }): void {
    const doomed =
      'points' in selection
        ? selection.points.map(String)
        : [...this.#points.values()]
            .filter((point) => passes(point, selection.filter))
            .map(({ id }) => String(id))
    for (const id of doomed) this.#bury(id)
  }

  setPayload({ points, filter, payload, key }: SetPayload): void {
    const ids = points?.map(String)
    const meant = [...this.#points.values()].filter(
      (point) => ids?.includes(String(point.id)) ?? (filter !== undefined && passes(point, filter)),
    )
    for (const point of meant) {
      point.payload ??= {}
      if (key !== undefined) point.payload[key] ??= {}
      const target = key === undefined ? point.payload : (point.payload[key] as Record<string, unknown>)
      Object.assign(target, structuredClone(payload))
    }
  }

  scroll({ filter, limit = 10, offset, with_vector = false }: Scroll) {
    const sorted = [...this.#points.values()].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    const found = sorted.filter(
      (point) => passes(point, filter) && (offset === undefined || String(point.id) >= String(offset)),
    )
    return {
      points: found.slice(0, limit).map((point) => shown(point, true, with_vector)),
      next_page_offset: found[limit]?.id ?? null,
    }
  }

  /** An estimate by an index counts what was removed, until that is cleared away; of the whole it is right. */
  count(filter: Filter | undefined, exact = true): number {
    const dead = exact || !filter ? [] : this.#dead
    return [...this.#points.values(), ...dead].filter((point) => passes(point, filter)).length
  }

  query({ prefetch, query, using = '', filter, limit = 10, offset = 0, with_payload, with_vector }: Query): {
    points: Scored[]
  } {
    // Of what was fetched before only those are scored.
    const fetched = prefetch?.flatMap((one) => this.query(one).points.map(({ id }) => id))
    const all = [...this.#points.values()].filter((point) => passes(point, filter))
    const points = fetched ? all.filter(({ id }) => fetched.includes(id)) : all
    const score = query === undefined ? () => 0 : this.#scorer(using, query)
    return {
      points: points
        .map((point) => ({ point, score: score(point) }))
        .filter((scored): scored is { point: Point; score: number } => scored.score !== undefined)
        .sort((a, b) => b.score - a.score || (String(a.point.id) < String(b.point.id) ? -1 : 1))
        .slice(offset, offset + limit)
        .map(({ point, score: value }) => ({
          ...shown(point, with_payload, with_vector),
          version: 0,
          score: value,
        })),
    }
  }

  #scorer(using: string, query: NonNullable<Query['query']>): (point: Point) => number | undefined {
    return Array.isArray(query) ? this.#dense(using, query) : this.#sparse(using, query)
  }

  #dense(using: string, query: readonly number[]): (point: Point) => number | undefined {
    const params = this.config.vectors[using]
    if (!params) throw new BadRequest(`Wrong input: Not existing vector name error: ${using}`)
    if (params.size !== query.length) throw dimensionError(params.size, query.length)
    return ({ vector }) => {
      const stored = vector[using]
      return Array.isArray(stored)
        ? Math.fround(dot(stored, query) / (length(stored) * length(query) || 1))
        : undefined
    }
  }

  #sparse(
    using: string,
    query: Exclude<NonNullable<Query['query']>, number[]>,
  ): (point: Point) => number | undefined {
    const params = this.config.sparse_vectors?.[using]
    if (!params) throw new BadRequest(`Wrong input: Not existing vector name error: ${using}`)
    const all = [...this.#points.values(), ...this.#dead]
      .map((point) => sparseOf(point, using))
      .filter((one) => one !== undefined)
    const weights = new Map(
      query.indices.map((dimension, at) => {
        const containing = all.filter((one) => one.has(dimension)).length
        // In floats of 32 bits, as Qdrant reckons.
        const ratio = Math.fround((all.length - containing + 0.5) / (containing + 0.5))
        const idf = Math.fround(Math.log(Math.fround(ratio + 1)))
        return [dimension, query.values[at]! * (params.modifier === 'idf' ? idf : 1)]
      }),
    )
    return (point) => {
      const stored = sparseOf(point, using)
      const shared = [...weights].filter(([dimension]) => stored?.has(dimension))
      if (shared.length === 0) return undefined
      return Math.fround(
        shared.reduce((sum, [dimension, weight]) => sum + weight * stored!.get(dimension)!, 0),
      )
    }
  }

  #check({ vector }: Point): void {
    for (const [name, value] of Object.entries(vector)) {
      const dense = this.config.vectors[name]
      if (Array.isArray(value) ? !dense : !this.config.sparse_vectors?.[name]) {
        throw new BadRequest(`Wrong input: Not existing vector name error: ${name}`)
      }
      if (Array.isArray(value) && dense!.size !== value.length)
        throw dimensionError(dense!.size, value.length)
    }
  }
}

function dimensionError(expected: number, got: number): BadRequest {
  return new BadRequest(`Wrong input: Vector dimension error: expected dim: ${expected}, got ${got}`)
}

const known = new WeakMap<object, Map<number, number>>()

function sparseOf({ vector }: Point, name: string): Map<number, number> | undefined {
  const stored = vector[name]
  if (stored === undefined || Array.isArray(stored)) return undefined
  const before = known.get(stored)
  if (before) return before
  const made = new Map(stored.indices.map((dimension, at) => [dimension, Math.fround(stored.values[at]!)]))
  known.set(stored, made)
  return made
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}

function length(vector: readonly number[]): number {
  return Math.sqrt(dot(vector, vector))
}

function shown({ id, payload, vector }: Point, withPayload: Selector = false, withVector: Selector = false) {
  return {
    id,
    ...(withPayload !== false && { payload: selected(payload ?? {}, withPayload) }),
    ...(withVector !== false && { vector: selected(vector, withVector) }),
  }
}

function selected<Value>(
  from: Record<string, Value>,
  selector: true | string[] | { exclude: string[] },
): Record<string, Value> {
  if (selector === true) return from
  const isWanted = (key: string) =>
    Array.isArray(selector) ? selector.includes(key) : !selector.exclude.includes(key)
  return Object.fromEntries(Object.entries(from).filter(([key]) => isWanted(key)))
}

function passes(point: Point, filter: Filter = {}): boolean {
  const { must = [], must_not = [], should = [] } = filter
  return (
    must.every((condition) => holds(point, condition)) &&
    !must_not.some((condition) => holds(point, condition)) &&
    (should.length === 0 || should.some((condition) => holds(point, condition)))
  )
}

function holds(point: Point, condition: Condition): boolean {
  if ('has_id' in condition) return condition.has_id.some((id) => id === point.id)
  if (!('key' in condition)) return passes(point, condition)
  const value = condition.key
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], point.payload)
  const values = Array.isArray(value) ? value : [value]
  return values.some((one) => fits(one, condition))
}

function fits(value: unknown, { match, range }: Field): boolean {
  if (match && 'value' in match && match.value !== value) return false
  if (match && 'any' in match && !(match.any as unknown[]).includes(value)) return false
  return !range || within(value, range)
}

function within(value: unknown, range: NonNullable<Field['range']>): boolean {
  const bounds = Object.values(range).filter((bound) => bound !== undefined)
  const ofTime = bounds.some((bound) => typeof bound === 'string')
  const number = ofTime && typeof value === 'string' ? Date.parse(value) : ofTime ? Number.NaN : value
  if (typeof number !== 'number' || Number.isNaN(number)) return false
  const limit = (bound: string | number) => (typeof bound === 'string' ? Date.parse(bound) : bound)
  return (
    (range.gte === undefined || number >= limit(range.gte)) &&
    (range.lte === undefined || number <= limit(range.lte)) &&
    (range.gt === undefined || number > limit(range.gt)) &&
    (range.lt === undefined || number < limit(range.lt))
  )
}
