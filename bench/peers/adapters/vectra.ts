import { loadPeer } from '../load.ts'
import type { Document, Peer } from '../peer.ts'

interface Item {
  id: string
  vector: number[]
  metadata: { documentId: string; startPos: number; endPos: number; text: string }
}
interface LocalIndex {
  isIndexCreated(): Promise<boolean>
  createIndex(): Promise<void>
  batchInsertItems(items: Item[]): Promise<unknown>
  insertItem(item: Item): Promise<unknown>
  listItems(): Promise<Item[]>
  queryItems(
    vector: number[],
    text: string,
    limit: number,
    filter?: undefined,
    isBm25?: boolean,
  ): Promise<{ item: Item; score: number }[]>
}
interface Vectra {
  LocalIndex: new (
    folder: string,
    name: undefined,
    storage: undefined,
    codec: object,
    options: { docReader: (id: string) => Promise<string> },
  ) => LocalIndex
  ProtobufCodec: new () => object
}

export const peer: Peer = {
  name: 'vectra',
  title: 'vectra',
  searches: 'meaning and words',
  durable: 'not flushed, and every insert writes everything again',
  how: 'LocalIndex with its smaller file format (protobuf) and batched inserts, as its document index takes none; vectors exactly, words by its BM25, for which it takes all texts apart again with every search',
  folder: 'vectra',
  batch: 10_000,
  open: async (folder) => {
    const { LocalIndex, ProtobufCodec } = await loadPeer<Vectra>('vectra')
    const texts = new Map<string, string>()
    const docReader = async (id: string) => texts.get(id) ?? ''
    const index = new LocalIndex(folder, undefined, undefined, new ProtobufCodec(), { docReader })
    if (!(await index.isIndexCreated())) await index.createIndex()
    for (const { metadata } of await index.listItems()) texts.set(metadata.documentId, metadata.text)
    const itemOf = ({ at, title, body, vector }: Document): Item => {
      const text = `${title}\n${body}`
      texts.set(String(at), text)
      const metadata = { documentId: String(at), startPos: 0, endPos: text.length - 1, text }
      return { id: String(at), vector: [...vector], metadata }
    }
    const places = (found: { item: Item }[]) => [
      ...new Set(found.map(({ item }) => Number(item.metadata.documentId))),
    ]
    return {
      insertMany: async (documents) => void (await index.batchInsertItems(documents.map(itemOf))),
      insertOne: async (document) => void (await index.insertItem(itemOf(document))),
      // Meaning first, then what words add: that is the order it gives.
      search: async ({ text, vector }, limit) =>
        places(await index.queryItems([...vector], text, limit, undefined, true)).slice(0, 2 * limit),
      nearest: async (vector, limit) => places(await index.queryItems([...vector], '', limit)),
      close: async () => undefined,
    }
  },
}
