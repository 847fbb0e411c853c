import { z } from 'zod'

/**
 * What we send, as Qdrant documents it (https://api.qdrant.tech/api-reference). Strict: a field that is not documented
 * is a mistake of ours, even where the real server would overlook it.
 */

const PointId = z.union([z.uuid(), z.int().nonnegative()])
const Sparse = z
  .strictObject({ indices: z.array(z.int().min(0).max(0xffffffff)), values: z.array(z.number()) })
  .refine(
    ({ indices, values }) => indices.length === values.length,
    'indices and values must be of one length',
  )
  .refine(({ indices }) => new Set(indices).size === indices.length, 'indices must be unique')
const Dense = z.array(z.number()).min(1)

const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'not a time')
const Bound = z.union([z.number(), Time])
const Field = z.strictObject({
  key: z.string().min(1),
  match: z
    .union([
      z.strictObject({ value: z.union([z.string(), z.int(), z.boolean()]) }),
      z.strictObject({ any: z.union([z.array(z.string()), z.array(z.int())]) }),
    ])
    .optional(),
  range: z
    .strictObject({
      gte: Bound.optional(),
      lte: Bound.optional(),
      gt: Bound.optional(),
      lt: Bound.optional(),
    })
    .optional(),
})
export type Field = z.infer<typeof Field>

export interface Filter {
  must?: Condition[] | undefined
  must_not?: Condition[] | undefined
  should?: Condition[] | undefined
}
export type Condition = Field | { has_id: (string | number)[] } | Filter

const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.union([Field, z.strictObject({ has_id: z.array(PointId) }), Filter]),
)
const Filter: z.ZodType<Filter> = z.lazy(() =>
  z.strictObject({
    must: z.array(Condition).optional(),
    must_not: z.array(Condition).optional(),
    should: z.array(Condition).optional(),
  }),
)

const Hnsw = z.strictObject({
  m: z.int().optional(),
  ef_construct: z.int().min(4).optional(),
  on_disk: z.boolean().optional(),
  full_scan_threshold: z.int().optional(),
})

export const StrictMode = z.strictObject({
  enabled: z.boolean().optional(),
  max_query_limit: z.int().optional(),
  unindexed_filtering_retrieve: z.boolean().optional(),
  unindexed_filtering_update: z.boolean().optional(),
  search_max_hnsw_ef: z.int().optional(),
  search_allow_exact: z.boolean().optional(),
  upsert_max_batchsize: z.int().optional(),
  search_max_batchsize: z.int().optional(),
  filter_max_conditions: z.int().optional(),
  max_points_count: z.int().min(1).optional(),
  max_payload_index_count: z.int().optional(),
  read_rate_limit: z.int().min(1).optional(),
  write_rate_limit: z.int().min(1).optional(),
})
export type StrictMode = z.infer<typeof StrictMode>

export const CreateCollection = z.strictObject({
  vectors: z.record(
    z.string(),
    z.strictObject({
      size: z.int().min(1).max(65_536),
      distance: z.enum(['Cosine', 'Dot', 'Euclid', 'Manhattan']),
      on_disk: z.boolean().optional(),
      hnsw_config: Hnsw.optional(),
    }),
  ),
  sparse_vectors: z
    .record(
      z.string(),
      z.strictObject({
        modifier: z.enum(['none', 'idf']).optional(),
        index: z.strictObject({ on_disk: z.boolean().optional() }).optional(),
      }),
    )
    .optional(),
  on_disk_payload: z.boolean().optional(),
  strict_mode_config: StrictMode.optional(),
})
export type CreateCollection = z.infer<typeof CreateCollection>

export const UpdateCollection = z.strictObject({ strict_mode_config: StrictMode })

export const ChangeAliases = z.strictObject({
  actions: z.array(
    z.strictObject({
      create_alias: z.strictObject({ collection_name: z.string(), alias_name: z.string() }),
    }),
  ),
})

export const CreateIndex = z.strictObject({
  field_name: z.string().min(1),
  field_schema: z.union([
    z.strictObject({
      type: z.literal('keyword'),
      is_tenant: z.boolean().optional(),
      on_disk: z.boolean().optional(),
    }),
    z.strictObject({ type: z.literal('bool') }),
    z.strictObject({ type: z.enum(['float', 'datetime']), on_disk: z.boolean().optional() }),
  ]),
})

export const Upsert = z.strictObject({
  points: z.array(
    z.strictObject({
      id: PointId,
      vector: z.record(z.string(), z.union([Dense, Sparse])),
      payload: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  update_mode: z.enum(['upsert', 'insert_only', 'update_only']).optional(),
})
export type Upsert = z.infer<typeof Upsert>

const WithPayload = z.union([
  z.boolean(),
  z.array(z.string()),
  z.strictObject({ exclude: z.array(z.string()) }),
])
const WithVector = z.union([z.boolean(), z.array(z.string())])

export const Retrieve = z.strictObject({
  ids: z.array(PointId),
  with_payload: WithPayload.optional(),
  with_vector: WithVector.optional(),
})

export const Delete = z.union([
  z.strictObject({ points: z.array(PointId) }),
  z.strictObject({ filter: Filter }),
])

export const SetPayload = z.strictObject({
  payload: z.record(z.string(), z.unknown()),
  points: z.array(PointId).optional(),
  filter: Filter.optional(),
  key: z.string().optional(),
})
export type SetPayload = z.infer<typeof SetPayload>

export const UpdateBatch = z.strictObject({
  operations: z.array(
    z.union([
      z.strictObject({ upsert: Upsert }),
      z.strictObject({ delete: Delete }),
      z.strictObject({ set_payload: SetPayload }),
    ]),
  ),
})

export const Scroll = z.strictObject({
  filter: Filter.optional(),
  limit: z.int().min(1).optional(),
  offset: PointId.optional(),
  with_payload: WithPayload.optional(),
  with_vector: WithVector.optional(),
})
export type Scroll = z.infer<typeof Scroll>

export const Count = z.strictObject({ filter: Filter.optional(), exact: z.boolean().optional() })

const Prefetch = z.strictObject({
  query: z.union([Dense, Sparse]),
  using: z.string(),
  filter: Filter.optional(),
  limit: z.int().min(1).optional(),
})

export const Query = z.strictObject({
  prefetch: z.array(Prefetch).optional(),
  /** Without one, points come by id. */
  query: z.union([Dense, Sparse]).optional(),
  using: z.string().optional(),
  filter: Filter.optional(),
  params: z.strictObject({ hnsw_ef: z.int().optional(), exact: z.boolean().optional() }).optional(),
  limit: z.int().min(1).optional(),
  offset: z.int().nonnegative().optional(),
  with_payload: WithPayload.optional(),
  with_vector: WithVector.optional(),
})
export type Query = z.infer<typeof Query>

export const QueryBatch = z.strictObject({ searches: z.array(Query) })
export const NoBody = z.undefined()
