import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ralph } from '../../../src/index.ts'
import { readData } from '../data.ts'
import { recallAt } from '../grading/measures.ts'
import {
  type Asking,
  type Collection,
  type Document,
  type Found,
  RANKED,
  type RetrievalSet,
} from '../shape.ts'

const FILE = 'locomo/conversations.json'
/** Adversarial questions have no evidence. */
const ADVERSARIAL = 5

interface Turn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}
interface Sample {
  sample_id: string
  conversation: { [key: string]: Turn[] | string }
  qa: { question: string; evidence?: string[]; category: number }[]
}

/** What one says, and what the other answers when an exchange has two turns. */
interface Exchange extends Document {
  conversation: string
  said: string
  answered: string
  startedAt: string | undefined
}

function collectionOf({ sample_id, conversation, qa }: Sample, turnsEach: number): Collection<Exchange> {
  const documents = Object.entries(conversation).flatMap(([session, turns]) => {
    if (!Array.isArray(turns)) return []
    const startedAt = timeOf(conversation[`${session}_date_time`])
    return chunks(turns, turnsEach).map((part): Exchange => {
      const [said = '', answered = ''] = part.map(wordsOf)
      return {
        id: part[0]!.dia_id,
        text: part.map(wordsOf).join('\n'),
        answersFor: part.map(({ dia_id }) => dia_id),
        conversation: `${sample_id}-${session}`,
        said,
        answered,
        startedAt,
      }
    })
  })
  const known = new Set(documents.flatMap(({ answersFor = [] }) => answersFor))
  const questions = qa
    .filter(({ category }) => category !== ADVERSARIAL)
    .map(({ question, evidence = [] }) => ({
      text: question,
      relevant: [...new Set(evidence.join(' ').match(/D\d+:\d+/g))].filter((turn) => known.has(turn)),
    }))
    .filter(({ relevant }) => relevant.length > 0)
  return { documents, questions }
}

async function put({ conversations }: Ralph, exchanges: readonly Exchange[]): Promise<Asking> {
  await imported(exchanges, (file) => conversations.importJsonl(file))
  await conversations.workers.runOnce(new AbortController().signal)
  const turnsOf = new Map(exchanges.map(({ id, answersFor = [id] }) => [id, answersFor]))
  const search = async (
    question: string,
    options?: { limit: number; minSimilarity: number },
  ): Promise<Found[]> => {
    const { results } = await conversations.search(question, options)
    return results.map(({ exchange, similarity }) => ({ ids: turnsOf.get(exchange.id)!, score: similarity }))
  }
  return {
    rank: (question) => search(question, { limit: RANKED, minSimilarity: 0 }),
    ask: (question) => search(question),
  }
}

async function imported(
  exchanges: readonly Exchange[],
  importFile: (file: string) => Promise<{ exchanges: { added: number } }>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-quality-'))
  try {
    const file = join(folder, 'history.jsonl')
    writeFileSync(file, exchanges.map(lineOf).join('\n'))
    const { added } = (await importFile(file)).exchanges
    if (added !== exchanges.length)
      throw new Error(`only ${added} of ${exchanges.length} exchanges were imported`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lineOf({ id, conversation, said, answered, startedAt }: Exchange): string {
  return JSON.stringify({
    conversation_id: conversation,
    exchange_id: id,
    user_message: said,
    assistant_message: answered,
    ...(startedAt && { started_at: startedAt }),
  })
}

function wordsOf({ speaker, text, blip_caption }: Turn): string {
  return `${speaker}: ${text}${blip_caption ? ` [shares ${blip_caption}]` : ''}`
}

/** "1:56 pm on 8 May, 2023" */
function timeOf(text: Turn[] | string | undefined): string | undefined {
  const date = new Date(`${String(text).replace(/^(.*) on (.*)$/, '$2 $1')} UTC`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return items.flatMap((_, at) => (at % size === 0 ? [items.slice(at, at + size)] : []))
}

function locomo(turnsEach: 1 | 2): RetrievalSet<Exchange> {
  const unit = turnsEach === 1 ? 'one turn an exchange' : 'two turns an exchange'
  return {
    name: `locomo-${turnsEach}`,
    title: `LoCoMo, ${unit}: evidence turns found`,
    through: 'conversations: `importJsonl`, workers → `search`',
    about:
      turnsEach === 1
        ? 'Long chats of two people over months, one library for each, every turn an exchange of its own. Which share of the turns that hold the answer is among the first k turns; questions without evidence (category 5) are left out.'
        : 'The same chats as a chat with an assistant is stored: what one says and what the other answers. Both turns of a returned exchange count against k.',
    world: 'chat',
    needs: [FILE],
    load: () => (JSON.parse(readData(FILE)) as Sample[]).map((each) => collectionOf(each, turnsEach)),
    put,
    shownByDefault: 20,
    measures: [5, 10, 25, 50].map(recallAt),
  }
}

export const locomoOneTurn = locomo(1)
export const locomoTwoTurns = locomo(2)
