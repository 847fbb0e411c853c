import { loadPeer } from '../load.ts'
import { DIMENSIONS, type Document, type Peer } from '../peer.ts'

interface Query {
  nearestTo(vector: Float32Array): Query
  fullTextSearch(text: string, options: { columns: string[] }): Query
  rerank(reranker: object): Query
  distanceType(type: string): Query
  ef(candidates: number): Query
  refineFactor(factor: number): Query
  select(columns: string[]): Query
  limit(count: number): Query
  toArray(): Promise<{ at: number; title: string; body: string }[]>
}
interface Table {
  add(rows: object[]): Promise<unknown>
  createIndex(column: string, options: { config: object; waitTimeoutSeconds?: number }): Promise<void>
  optimize(): Promise<unknown>
  query(): Query
}
interface Connection {
  tableNames(): Promise<string[]>
  openTable(name: string): Promise<Table>
  createEmptyTable(name: string, schema: object): Promise<Table>
  close(): void
}
interface LanceDb {
  connect(folder: string): Promise<Connection>
  Index: { hnswSq(options: object): object; fts(options?: object): object }
  rerankers: { RRFReranker: { create(): Promise<object> } }
}
interface Arrow {
  Schema: new (fields: object[]) => object
  Field: new (name: string, type: object, nullable?: boolean) => object
  FixedSizeList: new (size: number, child: object) => object
  Float32: new () => object
  Int32: new () => object
  Utf8: new () => object
}

const TABLE = 'documents'
/** Of the candidates that the graph walk keeps, and how many are compared again with the whole vectors: its documentation names both for recall. */
const CANDIDATES = 100
const REFINED = 3

export const peer: Peer = {
  name: 'lancedb',
  title: 'LanceDB',
  searches: 'meaning and words',
  durable: 'not flushed',
  how: `HNSW index (scalar quantised, cosine, ef ${CANDIDATES}, refined by ${REFINED}) and full-text index, both built after the bulk, then optimised; fused by its reciprocal rank reranker`,
  folder: 'lancedb',
  batch: 10_000,
  open: async (folder) => {
    const { lancedb, arrow } = await loadPeer<{ lancedb: LanceDb; arrow: Arrow }>('lancedb')
    const { connect, Index, rerankers } = lancedb
    const db = await connect(folder)
    const isThere = (await db.tableNames()).includes(TABLE)
    const table = isThere ? await db.openTable(TABLE) : await db.createEmptyTable(TABLE, schemaOf(arrow))
    const reranker = await rerankers.RRFReranker.create()
    const rowOf = ({ at, title, body, vector }: Document) => ({
      at,
      text: `${title}\n${body}`,
      vector: [...vector],
    })
    const near = (vector: Float32Array) =>
      table.query().nearestTo(vector).distanceType('cosine').ef(CANDIDATES).refineFactor(REFINED)
    return {
      insertMany: async (documents) => void (await table.add(documents.map(rowOf))),
      settle: async () => {
        const hnsw = Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 })
        await table.createIndex('vector', { config: hnsw, waitTimeoutSeconds: 600 })
        await table.createIndex('text', { config: Index.fts(), waitTimeoutSeconds: 600 })
        await table.optimize()
      },
      insertOne: async (document) => void (await table.add([rowOf(document)])),
      search: async ({ text, vector }, limit) => {
        const both = near(vector)
          .fullTextSearch(text, { columns: ['text'] })
          .rerank(reranker)
        const rows = await both.select(['at', 'text']).limit(limit).toArray()
        return rows.map(({ at }) => at)
      },
      nearest: async (vector, limit) =>
        (await near(vector).select(['at']).limit(limit).toArray()).map(({ at }) => at),
      close: async () => db.close(),
    }
  },
}

function schemaOf({ Schema, Field, FixedSizeList, Float32, Int32, Utf8 }: Arrow): object {
  return new Schema([
    new Field('at', new Int32()),
    new Field('text', new Utf8()),
    new Field('vector', new FixedSizeList(DIMENSIONS, new Field('item', new Float32(), true))),
  ])
}
