import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import type { Summariser } from '../../src/language-model/summariser.ts'
import { GARDEN, library } from './library.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, openTestConversations } from './open.ts'

const free = extractiveSummariser()
const by = 'anthropic:dear'
/** Its summaries cost something. */
const paid: Summariser = {
  ...free,
  id: by,
  exchange: async (account, signal) => ({ ...(await free.exchange(account, signal)), by }),
  conversation: async (account, signal) => ({ ...(await free.conversation(account, signal)), by }),
}

/** A home in which everything has happened that can. */
async function usedHome() {
  const opened = await library({ summariser: paid })
  const { conversations } = opened
  await conversations.record(
    {
      conversationId: 'sub',
      id: 'sub-1',
      userMessage: 'Why does the parser fail?',
      assistantMessage: 'A comma',
      status: 'interrupted',
      startedAt: new Date('2026-05-01T10:00:00Z'),
      completedAt: new Date('2026-05-01T10:03:00Z'),
      messages: [
        { role: 'tool_call', toolName: 'Bash', content: 'npm test' },
        { role: 'tool_result', content: '(failed) 3 failing' },
      ],
    },
    { source: 'codex', project: '/home/dev/shop', parentId: 'timeouts', title: 'Parser' },
  )
  await conversations.tags.add('timeouts', 'debugging', 'net')
  await conversations.votes.cast('timeouts', 1)
  await conversations.votes.cast('timeouts-1', 1)
  await conversations.votes.cast('garden-0', -1)
  await conversations.history.rename('garden', 'What grows where')
  await conversations.sharing.share(['garden'])
  await conversations.workers.runOnce(never)
  return opened
}

/** Everything that can be seen of it. */
async function visible(conversations: Conversations) {
  const { conversations: listed } = await conversations.list()
  const exchanges = await Promise.all(listed.map(({ id }) => conversations.history.exchangesOf(id)))
  const search = async (query: string) =>
    (await conversations.search(query, { minSimilarity: 0 })).results.map(({ exchange, similarity }) => ({
      id: exchange.id,
      similarity,
    }))
  return {
    listed,
    exchanges,
    transcripts: await Promise.all(exchanges.flat().map((one) => conversations.history.transcript(one))),
    tags: await conversations.tags.all(),
    searches: [await search('socket timeout'), await search('tomatoes'), await search('comma parser')],
    waiting: (await conversations.workersStatus()).workers.map(({ worker, waiting }) => [worker, waiting]),
    embeddings: await conversations.workers.embeddings(),
  }
}

/** Counts what it embeds, the questions apart. */
function countingEmbedder(id?: string): { embedder: () => Promise<Embedder>; embedded: () => number } {
  const plain = meaningEmbedder()
  let embedded = 0
  const embedder: Embedder = {
    ...plain,
    ...(id && { id }),
    embed: (texts, kind, signal) => {
      if (kind === 'document') embedded += texts.length
      return plain.embed(texts, kind, signal)
    },
  }
  return { embedder: async () => embedder, embedded: () => embedded }
}

describe('a backup', () => {
  it('makes of an empty home the same one, with nothing left to summarise or to embed', async () => {
    const used = await usedHome()
    const file = join(used.folder, 'backup.jsonl')
    expect(await used.conversations.exportTo(file, { vectors: true })).toMatchObject({ exchanges: 5 })
    const counting = countingEmbedder()
    const { conversations } = await openTestConversations({
      clock: () => new Date('2026-05-20T12:00:00Z'),
      summariser: paid,
      embedder: counting.embedder,
    })
    const report = await conversations.importJsonl(file)
    expect(report).toMatchObject({
      exchanges: { added: 5, skipped: 0 },
      restored: { summaries: 8, votes: 3, vectors: 8 },
    })
    expect(await conversations.workers.runOnce(never)).toMatchObject({ conversation: 0, exchange: 0 })
    expect(counting.embedded()).toBe(0)
    expect(await visible(conversations)).toEqual(await visible(used.conversations))
    // And so does a backup of the copy, to the letter.
    const again = join(used.folder, 'again.jsonl')
    await conversations.exportTo(again, { vectors: true })
    expect(await readFile(again, 'utf8')).toBe(await readFile(file, 'utf8'))

    const before = await visible(conversations)
    expect(await conversations.importJsonl(file)).toMatchObject({
      exchanges: { added: 0, updated: 0, unchanged: 5 },
      restored: { summaries: 0, votes: 0, vectors: 0 },
    })
    expect(await visible(conversations)).toEqual(before)
  })

  it('leaves vectors of another embedder alone, and makes them anew', async () => {
    const used = await usedHome()
    const file = join(used.folder, 'backup.jsonl')
    await used.conversations.exportTo(file, { vectors: true })
    const counting = countingEmbedder('another:model')
    const { conversations } = await openTestConversations({ embedder: counting.embedder })
    expect((await conversations.importJsonl(file)).restored).toMatchObject({ vectors: 0 })
    await conversations.workers.runOnce(never)
    expect(counting.embedded()).toBeGreaterThanOrEqual(8)
  })

  it('fills what is missing in a home that is used, and replaces nothing that is newer', async () => {
    const used = await usedHome()
    const file = join(used.folder, 'backup.jsonl')
    await used.conversations.exportTo(file)
    const { conversations } = await openTestConversations()
    // The same conversation, which went on here, under another name, with a vote and a free summary.
    const said = GARDEN.map(({ user, assistant, at }, position) => ({
      conversationId: 'garden',
      id: `garden-${position}`,
      userMessage: user,
      assistantMessage: position === 1 ? `${assistant} And feeding.` : assistant,
      startedAt: new Date(at!),
      ...(position === 1 && { completedAt: new Date('2026-06-01T09:00:00Z') }),
    }))
    for (const exchange of said) await conversations.record(exchange, { source: 'chat', title: 'My garden' })
    await conversations.votes.cast('garden-0', 1)
    await conversations.workers.runOnce(never)
    await conversations.importJsonl(file)
    const garden = await conversations.history.conversation('garden')
    expect(garden).toMatchObject({ title: 'My garden', exchangeCount: 2 })
    const [first, second] = await conversations.history.exchangesOf('garden')
    expect(first).toMatchObject({ votes: 1 })
    expect(second).toMatchObject({ assistantMessage: 'Roses want sun. And feeding.' })
    // What was paid for is kept in place of what costs nothing.
    const lines = (await collected(conversations)).map((line) => JSON.parse(line))
    expect(lines.find((line) => line.exchange_id === 'garden-0')).toMatchObject({
      summary_model: 'anthropic:dear',
    })
    expect(lines.find((line) => line.exchange_id === 'garden-1')).toMatchObject({
      summary_model: 'extractive',
    })
    expect(await conversations.history.counts()).toEqual({ conversations: 3, exchanges: 5 })
  })

  it('goes on behind damaged lines, takes an answer that was being written for interrupted, and lines of others as before', async () => {
    const { conversations, folder } = await openTestConversations()
    const file = join(folder, 'mixed.jsonl')
    const line = { conversation_id: 'c', user_message: 'How?', assistant_message: 'So.' }
    await writeFile(
      file,
      [
        { ...line, exchange_id: '1', status: 'open', conversation: { source: 'chat', votes: 2 } },
        // Words that mean something else to somebody else.
        { ...line, exchange_id: '2', conversation: 'c', votes: 'many', vector: [1, 2] },
        { ...line, exchange_id: '3', vector: { embedder: 'e', text_hash: 'h', values: 'AAAA' } },
      ]
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )
    await appendFile(file, '{"conversation_id":"c","user_mess')
    const report = await conversations.importJsonl(file)
    expect(report).toMatchObject({
      exchanges: { added: 3, skipped: 1 },
      skipped: [{ why: 'not JSON', example: 'line 4' }],
    })
    expect(await conversations.history.conversation('c')).toMatchObject({ source: 'chat', votes: 2 })
    expect((await conversations.history.exchangesOf('c')).map(({ status }) => status)).toEqual([
      'interrupted',
      'completed',
      'completed',
    ])
    expect(await conversations.importJsonl(file)).toMatchObject({ exchanges: { updated: 0, unchanged: 3 } })
  })

  it('leaves the file that was there when it is stopped on the way', async () => {
    const { conversations, folder } = await library()
    const file = join(folder, 'backup.jsonl')
    await writeFile(file, 'the last one\n')
    const stop = new AbortController()
    const exporting = conversations.exportTo(file, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    await expect(exporting).rejects.toMatchObject({ code: 'cancelled' })
    expect(await readFile(file, 'utf8')).toBe('the last one\n')
  })
})

async function collected(conversations: Conversations): Promise<string[]> {
  const lines: string[] = []
  for await (const line of conversations.exportLines()) lines.push(line)
  return lines
}
