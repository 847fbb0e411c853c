import { loadPeer } from '../load.ts'
import type { Document, Peer } from '../peer.ts'

interface Item {
  id: string
  vector: number[]
  metadata: { text: string }
}
interface LocalIndex {
  isIndexCreated(): Promise<boolean>
  createIndex(): Promise<void>
  batchInsertItems(items: Item[]): Promise<unknown>
  insertItem(item: Item): Promise<unknown>
  queryItems(vector: number[], text: string, limit: number): Promise<{ item: Item; score: number }[]>
}
interface Vectra {
  LocalIndex: new (folder: string, name: undefined, storage: undefined, codec: object) => LocalIndex
  ProtobufCodec: new () => object
}

export const peer: Peer = {
  name: 'vectra',
  title: 'vectra',
  searches: 'meaning',
  durable: 'not flushed, and every insert writes everything again',
  // Its BM25 loads its language model anew with every search, each time over what the last one left of it: "Invalid string length".
  how: 'LocalIndex with its smaller file format (protobuf) and batched inserts, as its document index takes none; vectors exactly; without its BM25, which fails after some twenty searches of one process',
  folder: 'vectra',
  batch: 10_000,
  open: async (folder) => {
    const { LocalIndex, ProtobufCodec } = await loadPeer<Vectra>('vectra')
    const index = new LocalIndex(folder, undefined, undefined, new ProtobufCodec())
    if (!(await index.isIndexCreated())) await index.createIndex()
    const itemOf = ({ at, title, body, vector }: Document): Item => ({
      id: String(at),
      vector: [...vector],
      metadata: { text: `${title}\n${body}` },
    })
    const nearest = async (vector: Float32Array, limit: number) =>
      (await index.queryItems([...vector], '', limit)).map(({ item }) => Number(item.id))
    return {
      insertMany: async (documents) => void (await index.batchInsertItems(documents.map(itemOf))),
      insertOne: async (document) => void (await index.insertItem(itemOf(document))),
      search: ({ vector }, limit) => nearest(vector, limit),
      nearest,
      close: async () => undefined,
    }
  },
}
