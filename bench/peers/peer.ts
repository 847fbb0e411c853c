/** What a store is asked to keep: the same for all of them. */
export interface Document {
  /** Its place in the data, from 0: whoever wants an id of another form makes it of that. */
  at: number
  title: string
  body: string
  vector: Float32Array
}

export interface Question {
  text: string
  vector: Float32Array
}

/** A store that is open, in a process of its own. */
export interface Store {
  /** Many at once, as its documentation recommends. */
  insertMany(documents: readonly Document[]): Promise<void>
  /** After the last of many: whatever it wants built before it is searched. */
  settle?(): Promise<void>
  /** One, so that a search finds it and it is there after a restart; `durable` says what that is worth. */
  insertOne(document: Document): Promise<void>
  /** Places of the best, the best first, by all the ways that it has. */
  search(question: Question, limit: number): Promise<number[]>
  /** By vectors alone, where it has them: what is compared with exact search. */
  nearest?(vector: Float32Array, limit: number): Promise<number[]>
  /** Its process, where the work is done in another one than this. */
  pid?: number
  close(): Promise<void>
}

export interface Peer {
  /** As on the command line. */
  name: string
  /** As on the page. */
  title: string
  /** What it searches by. */
  searches: 'meaning and words' | 'meaning' | 'words' | 'parts of words'
  /** What an insert of one is worth when the power fails: what was seen of its calls to the system. */
  durable: string
  /** How it was set up, and what is done for it or against it. */
  how: string
  /** Of `packages/`; absent for what the repository has itself. */
  folder?: string
  /** Documents of one `insertMany`. */
  batch: number
  open(folder: string): Promise<Store>
}

export const DIMENSIONS = 384
