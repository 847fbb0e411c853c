import { expect, it } from 'vitest'
import { matchingWords } from '../../src/text/matching-words.ts'
import { passageOf } from '../../src/text/passage.ts'

const marked = (text: string, question: string) =>
  matchingWords(text, question).map(({ from, to }) => text.slice(from, to))

it.each([
  ['The tests were failing', 'why do tests fail', ['tests', 'failing']],
  ['LoginForm.submit is called twice', 'login', ['Login']],
  ['LoginForm is called twice', 'login_form', ['LoginForm']],
  ['toFixed rounds down', 'how to fix it', ['Fixed']],
  ['read_session_cookie(request)', 'the session cookies', ['session', 'cookie']],
  ['HTMLParser and parse-html', 'html', ['HTML', 'html']],
  ['über die Café-Sitzung', 'cafe', ['Café']],
  ['登録フォームが壊れた', 'フォーム', ['フォーム']],
  ['node 22.13.0 is needed', '22.13', ['22.13.0']],
  ['the and of', 'the and of', []],
  ['<mark>markup</mark>', 'markup', ['markup']],
  ['👍 thumbs 👍 up', 'thumb', ['thumbs']],
  ['nothing', '', []],
])('marks in %j what %j asks for', (text, question, words) => {
  expect(marked(text, question)).toEqual(words)
})

it('shows where most of the words stand together, and marks them there', () => {
  const filler = 'something else happened here before that. '.repeat(30)
  const text = `cookie ${filler}the session cookie timeout ${filler}`
  const passage = passageOf(text, 'session cookie timeout', 120)
  expect(passage.text.length).toBeLessThanOrEqual(122)
  expect(passage.text.startsWith('…')).toBe(true)
  expect(passage.text.endsWith('…')).toBe(true)
  expect(passage.marks.map(([from, to]) => passage.text.slice(from, to))).toEqual([
    'session',
    'cookie',
    'timeout',
  ])
  expect(passage.words).toEqual(['cookie', 'session', 'timeout'])
})

it('leaves a short text whole, on one line', () => {
  expect(passageOf('One\n\n  line ', 'line', 100)).toEqual({
    text: 'One line',
    marks: [[4, 8]],
    words: ['line'],
  })
})

it('cuts no character in two, wherever it falls', () => {
  const text = `${'👍'.repeat(200)} cookie ${'👍'.repeat(200)}`
  for (let longest = 40; longest < 60; longest++) {
    const passage = passageOf(text, 'cookie', longest)
    expect(passage.text.isWellFormed()).toBe(true)
    expect(passage.text).toContain('cookie')
  }
})
