import { describe, expect, it } from 'vitest'
import { saysSomething } from '../../src/text/small-talk.ts'

describe('a message', () => {
  it.each([
    'continue',
    'thanks!',
    'ok, go on',
    'Yes, please do that.',
    "sounds good, let's do it",
    'LGTM 👍',
    'option b',
    '2',
    '...',
    '',
    'Hello! How can I help you today?',
    "You're welcome! Let me know if you need anything else.",
    'weiter bitte',
    "d'accord, vas-y",
    "s'il te plaît continue",
    'sí, adelante',
    'продолжай, пожалуйста',
    '请继续',
    '好的，谢谢',
    '続けてください',
    '계속해줘',
  ])('%s: says nothing by itself', (text) => {
    expect(saysSomething(text)).toBe(false)
  })

  it.each([
    'fix the timeout',
    'ok, now rename the column',
    'ETIMEDOUT',
    'go test',
    'thanks, and what about Redis?',
    'weiter mit der Migration',
    '继续修复登录',
    '続けてテストを書いて',
    'P95',
    '404',
  ])('%s: says something', (text) => {
    expect(saysSomething(text)).toBe(true)
  })
})
