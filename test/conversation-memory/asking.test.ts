import { expect, it } from 'vitest'
import { askingOf, isBrief } from '../../src/conversation-memory/asking.ts'
import { exchangeDraft, exchangeHit } from '../../src/conversation-memory/documents.ts'
import { rankExchanges } from '../../src/conversation-memory/retrieve/rank.ts'
import { MEASURED } from '../../src/embedding/calibration.ts'
import type { Payload } from '../../src/search-index/search-index.ts'

it.each([
  ['Ann: Do you play any instruments?', 'only'],
  ['How did it go? 😊', 'only'],
  ['Seen this? [shares a photo of a dog]', 'only'],
  ['什么时候去？', 'only'],
  ['Why? Because it rained.', undefined],
  ['Is it 5? 6 then', undefined],
  ['  ', undefined],
])('hears what is asked at the end of: %s', (message, asked) => {
  expect(askingOf([message, ''])).toBe(asked)
})

it('tells a question after an answer from one that stands alone', () => {
  expect(askingOf(['Which port?', 'It is 8080. Shall I open it?'])).toBe('last')
  expect(askingOf(['Which port?', 'It is 8080.'])).toBeUndefined()
})

it.each([
  ['Ann: Yeah, totally!', true],
  ['haha 😂😂', true],
  ['I play the violin in an orchestra', false],
  ['Ann: TypeError:cannot-read-properties-of-undefined-reading-the-length-of-nothing', false],
  ['我在乐队里拉小提琴', false],
])('knows what hardly says anything: %s', (message, brief) => {
  expect(isBrief([message, ''])).toBe(brief)
})

it('keeps both with the exchange, of an agent at work only what it asks', () => {
  const row = {
    ...{ id: 'e', conversation_id: 'c', position: 0, summary: null, started_at: null, revision: 1 },
    ...{ user_message: 'Ann: And you?', assistant_message: '' },
  }
  const hit = (steps: string[]) => {
    const said = steps.map((content) => ({ role: 'assistant' as const, content }))
    const { id, payload } = exchangeDraft(row, said)
    return exchangeHit({ id, payload: payload('none') })
  }
  expect(hit([])).toMatchObject({ asks: 'only', brief: true })
  expect(hit(['read the file'])).toMatchObject({ asks: 'only', brief: false })
})

const turn = (position: number, cosine: number, more: Payload = {}, among = 3) => ({
  id: String(position),
  payload: { exchange: String(position), conversation: 'c', position, ...more },
  ...{ cosine, bm25: 1, coverage: 0.5, wordShare: 0.5, commonShare: 0, among },
})
const ranked = (exchanges: ReturnType<typeof turn>[]) =>
  rankExchanges({ exchanges, conversations: [], calibration: MEASURED, weight: () => 1 })
const order = (exchanges: ReturnType<typeof turn>[]) => ranked(exchanges).map(({ exchange }) => exchange)

it('puts the answer before another that is as near, and a question below what is as near', () => {
  const others = [0, 60, 80].map((position) => turn(position, 0.3))
  const answered = [turn(4, 0.5, { asks: 'only' }), turn(5, 0.3)]
  expect(order([...answered, ...others]).slice(0, 2)).toEqual(['4', '5'])
  const rivals = (more: Payload) => [turn(20, 0.501, more), turn(40, 0.5), ...others]
  expect(order(rivals({}))[0]).toBe('20')
  expect(order(rivals({ asks: 'last' }))[0]).toBe('20')
  expect(order(rivals({ asks: 'only' }))[0]).toBe('40')
  expect(order(rivals({ brief: true }))[0]).toBe('40')
})

it('shows less for the same likeness in a longer history, and the same from 0.7 on', () => {
  const [weak, sure] = [0.28, 0.8].map((cosine) =>
    [100, 1_000, 100_000].map((among) => ranked([{ ...turn(0, cosine, {}, among), bm25: 0 }])[0]!.similarity),
  )
  expect(weak![0]).toBeGreaterThan(0.4)
  expect(weak![1]).toBeLessThan(0.4)
  expect(weak![2]).toBeLessThan(weak![1]!)
  expect(new Set(sure).size).toBe(1)
})
