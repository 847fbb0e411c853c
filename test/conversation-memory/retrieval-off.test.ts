import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { countOf } from '../search-index/documents.ts'
import { converse, library } from './library.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, openTestConversations } from './open.ts'

describe('when something is missing, retrieval', () => {
  it('goes on without memory when something is broken, says so once, and recovers', async () => {
    const { conversations, index, notices } = await library()
    const search = index.search.bind(index)
    index.search = async () => {
      const details = { hint: 'ralph doctor --fix', retryable: true }
      throw new RalphError('damaged', 'the search index is damaged', details)
    }
    expect(await conversations.contextFor('SO_RCVTIMEO')).toBeUndefined()
    expect(await conversations.contextFor('SO_RCVTIMEO')).toBeUndefined()
    expect(notices).toEqual([
      {
        key: 'conversations.retrieval',
        message: 'answering without past conversations: the search index is damaged',
        hint: 'ralph doctor --fix',
      },
    ])
    index.search = search
    expect(await conversations.contextFor('SO_RCVTIMEO')).toBeDefined()
  })

  it('reads the history by words while the index cannot be asked, says so once, and recovers', async () => {
    const { conversations, index, notices } = await library()
    const search = index.search.bind(index)
    index.search = async () => {
      throw new RalphError('unavailable', 'the index is down', { hint: 'start it' })
    }
    for (let asked = 0; asked < 2; asked++) {
      const { results, wordsOnly } = await conversations.search('SO_RCVTIMEO')
      expect(results[0]?.exchange.id).toBe('timeouts-1')
      expect(wordsOnly).toBe(true)
    }
    const key = 'conversations.without_index'
    expect(notices.filter((one) => one.key === key)).toMatchObject([
      {
        message: expect.stringContaining('only by words and the newest: the index is down'),
        hint: 'start it',
      },
    ])
    index.search = search
    await conversations.search('SO_RCVTIMEO')
    index.search = () => Promise.reject(new RalphError('unavailable', 'down again'))
    await conversations.search('SO_RCVTIMEO')
    expect(notices.filter((one) => one.key === key)).toHaveLength(2)
  })

  it('searches by words when the query cannot be embedded', async () => {
    const embedder = meaningEmbedder()
    const { conversations, notices } = await library({ embedder: async () => embedder })
    await conversations.workers.runOnce(never)
    embedder.trouble = [new RalphError('unavailable', 'Ollama is down', { hint: 'ollama serve' })]
    expect((await conversations.search('SO_RCVTIMEO')).results[0]?.exchange.id).toBe('timeouts-1')
    expect(notices.map(({ message }) => message).join()).toContain('words only')
  })

  it('is cancelled with its signal while the query is embedded', async () => {
    const embedder = meaningEmbedder()
    const { conversations } = await library({ embedder: async () => embedder })
    embedder.trouble = ['hang']
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 30)
    await expect(conversations.search('socket', { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('searches by words when the embedder does not answer', async () => {
    const embedder = meaningEmbedder()
    const { conversations, notices } = await library({ embedder: async () => embedder })
    embedder.trouble = ['hang']
    expect((await conversations.search('SO_RCVTIMEO')).results[0]?.exchange.id).toBe('timeouts-1')
    expect(notices.map(({ message }) => message).join()).toContain('did not answer')
  })

  it('can be switched off', async () => {
    const { conversations } = await library()
    expect(await conversations.contextFor('SO_RCVTIMEO')).toBeDefined()
    await conversations.settings.writeText('rag_enabled', 'off')
    expect(await conversations.contextFor('SO_RCVTIMEO')).toBeUndefined()
  })

  it('finds at once what another process has just stored', async () => {
    const { conversations, again } = await library()
    expect((await conversations.search('walrus')).results).toEqual([])
    const other = await again()
    await converse(other.conversations, 'new', [{ user: 'About the walrus', assistant: 'It is large.' }])
    expect((await conversations.search('walrus')).results[0]?.conversation.id).toBe('new')
  })

  it('makes up for an index that was not told', async () => {
    const { conversations, index } = await library()
    await index.drop('conversation-exchanges')
    await index.drop('conversation-summaries')
    const later = await openTestConversations({ index })
    await later.conversations.search('x')
    expect((await conversations.search('SO_RCVTIMEO')).results).toHaveLength(1)
  })

  it('forgets a conversation with all its traces', async () => {
    const { conversations, index } = await library()
    await conversations.workers.runOnce(never)
    await conversations.forget('timeouts')
    expect(
      (await conversations.search('SO_RCVTIMEO socket timeout')).results.map(
        ({ conversation }) => conversation.id,
      ),
    ).not.toContain('timeouts')
    expect(await countOf(index, 'conversation-exchanges')).toBe(2)
    expect(await conversations.history.counts()).toEqual({ conversations: 1, exchanges: 2 })
    await expect(conversations.forget('timeouts')).rejects.toMatchObject({ code: 'not_found' })
  })
})
