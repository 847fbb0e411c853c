import { describe, expect, it } from 'vitest'
import { readTimeRange } from '../../src/conversation-memory/retrieve/time-range.ts'

/** A Wednesday. */
const now = new Date('2026-05-20T15:00:00Z')
const read = (query: string) => {
  const { text, range, phrase } = readTimeRange(query, now)
  const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)
  return { text, phrase, range: range && `${day(range.from)}..${day(range.to)}` }
}

describe('times in a query', () => {
  it.each([
    ['what did we decide yesterday', '2026-05-19..2026-05-19'],
    ['the crash from the day before yesterday', '2026-05-18..2026-05-18'],
    ['what did I do today', '2026-05-20..2026-05-20'],
    ['auth bug last week', '2026-05-11..2026-05-17'],
    ['auth bug this week', '2026-05-18..2026-05-20'],
    ['release notes last month', '2026-04-01..2026-04-30'],
    ['release notes this month', '2026-05-01..2026-05-20'],
    ['what happened last year', '2025-01-01..2025-12-31'],
    ['migration in March', '2026-03-01..2026-03-31'],
    ['migration in November', '2025-11-01..2025-11-30'],
    ['migration in March 2024', '2024-03-01..2024-03-31'],
    ['everything since April', '2026-04-01..2026-05-20'],
    ['the talk on 7 May', '2026-05-07..2026-05-07'],
    ['the talk on May 7th, 2023', '2023-05-07..2023-05-07'],
    ['the talk on December 24', '2025-12-24..2025-12-24'],
    ['the outage of 2026-02-07', '2026-02-07..2026-02-07'],
    ['what broke 3 days ago', '2026-05-17..2026-05-17'],
    ['what broke two weeks ago', '2026-05-03..2026-05-09'],
    ['in the last 10 days', '2026-05-10..2026-05-20'],
    ['over the past few months', '2026-02-19..2026-05-20'],
    ['on Monday', '2026-05-18..2026-05-18'],
    ['last Friday', '2026-05-15..2026-05-15'],
    ['in 2024', '2024-01-01..2024-12-31'],
    ['late April', '2026-04-20..2026-04-30'],
  ])('%s', (query, range) => {
    expect(read(query).range).toBe(range)
  })

  it('takes the words that say when out of what is searched', () => {
    expect(read('how did we fix the timeout last week')).toMatchObject({
      text: 'how did we fix the timeout',
      phrase: 'last week',
    })
    expect(read('yesterday').text).toBe('')
  })

  it.each([
    'how does the month picker work',
    'may I use the march algorithm',
    'the last retry failed',
    'this test is slow',
    'a week has seven days',
    'port 2024 is taken',
    'what will we do in 2031',
    'schedule for next week',
  ])('finds none in: %s', (query) => {
    expect(read(query)).toEqual({ text: query, range: undefined, phrase: undefined })
  })
})
