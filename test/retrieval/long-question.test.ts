import { describe, expect, it } from 'vitest'
import { isLongQuestion, meaningsOf, meaningsOfFailure } from '../../src/retrieval/long-question.ts'

describe('what a question is about', () => {
  it('is all of it, when it is one line', () => {
    expect(meaningsOf('why did the login form break')).toEqual([
      { text: 'why did the login form break', weight: 1 },
    ])
  })

  it('is its title and all of it, when it is an issue', () => {
    const issue = 'Login fails after a restart\n\nSteps: start, log in, restart, reload the page.'
    expect(meaningsOf(issue)).toEqual([
      { text: issue, weight: 0.7 },
      { text: 'Login fails after a restart', weight: 0.3 },
    ])
  })

  it('is above all the headline, when it is the output of a tool', () => {
    const output =
      '   Compiling shop v1.0\nerror[E0277]: cannot add `f32` to `u8`\n  |\n4 | let x = 1u8 + 1f32;'
    const expected = [
      { text: output, weight: 0.4 },
      { text: 'cannot add `f32` to `u8`', weight: 0.6 },
    ]
    expect(meaningsOf(output)).toEqual(expected)
    expect(meaningsOfFailure(output)).toEqual(expected)
  })

  it('is never nothing', () => {
    expect(meaningsOf('\nthe first line is empty')).toEqual([
      { text: '\nthe first line is empty', weight: 1 },
    ])
    expect(meaningsOfFailure('12345')).toEqual([{ text: '12345', weight: 1 }])
  })
})

it('is long from sixteen different terms on, function words not counted', () => {
  const words = Array.from({ length: 16 }, (_, at) => `word${String.fromCodePoint(97 + at)}`)
  expect(isLongQuestion(words.join(' '))).toBe(true)
  expect(isLongQuestion(words.slice(1).join(' '))).toBe(false)
  expect(isLongQuestion(`${words.slice(1).join(' ')} and the of to in on is ${words[1]}`)).toBe(false)
})
