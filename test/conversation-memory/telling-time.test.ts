import { expect, it } from 'vitest'
import { rankExchanges } from '../../src/conversation-memory/retrieve/rank.ts'
import { asksWhen, tellsTime } from '../../src/conversation-memory/telling-time.ts'

it.each([
  'I went to the support group yesterday',
  'We moved here two years ago',
  'The review is next Friday',
  'It has run for three weeks',
  'We met in May',
  'Released on March 12',
  'born in 1998',
])('hears when something was: %s', (message) => {
  expect(tellsTime(['hello', message])).toBe(true)
})

it.each(['You may delete it', 'We march on', 'Use port 3000', 'the last one', 'That was fun'])(
  'hears no time in: %s',
  (message) => {
    expect(tellsTime([message, ''])).toBe(false)
  },
)

it('knows a question that a time answers', () => {
  expect(['When did we move?', 'Which year was it?', 'How long has it run?'].every(asksWhen)).toBe(true)
  expect(['What did we decide?', 'How do I sort?', 'Where is it?'].some(asksWhen)).toBe(false)
})

it('puts what tells a time first when asked when, and only then', () => {
  const exchanges = [false, true].map((tells_time, position) => ({
    id: String(position),
    payload: { exchange: String(position), conversation: String(position), position, tells_time },
    ...{
      cosine: 0.6 - position * 0.01,
      bm25: 2 - position * 0.1,
      coverage: 0.5,
      wordShare: 0.5,
      commonShare: 0,
      among: 2,
    },
  }))
  const order = (asksWhen: boolean) =>
    rankExchanges({ exchanges, conversations: [], calibration: [], weight: () => 1, asksWhen }).map(
      ({ exchange }) => exchange,
    )
  expect(order(false)).toEqual(['0', '1'])
  expect(order(true)).toEqual(['1', '0'])
})
