import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMAND_TABLE, HELP_GROUPS } from '../../src/cli/command-table.ts'
import { markdownText } from '../../src/cli/help/markdown-text.ts'
import { allCommands, groupHelp, overview } from '../../src/cli/help/overview.ts'
import { topicText } from '../../src/cli/help/topic-text.ts'
import { HELP_TOPICS, TOPIC_NAMES } from '../../src/cli/help/topics.ts'

const look = (width = 80) => ({ width, bold: (text: string) => text })
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

describe('the help', () => {
  it('shows the commands for every day with what they do, and names the others by group', () => {
    const text = overview(look())
    expect(text).toMatch(/^Every day\n {2}init {2,}\w/m)
    expect(text).toMatch(/^Board {2,}feature, task, discipline, gate, prompt$/m)
    expect(text.split('\n').length).toBeLessThan(35)
    for (const { name, hidden } of COMMAND_TABLE) expect(text.includes(name), name).toBe(!hidden)
  })

  it('of everything has every command, group and topic', () => {
    const text = allCommands(look())
    for (const { name } of COMMAND_TABLE) expect(text).toMatch(new RegExp(`^  ${name} `, 'm'))
    for (const title of Object.values(HELP_GROUPS)) expect(text).toContain(`\n${title}\n`)
    for (const topic of Object.keys(HELP_TOPICS)) expect(text).toMatch(new RegExp(`^  ${topic} `, 'm'))
  })

  it('of a group says what its commands do', () => {
    expect(groupHelp('board', look())).toMatch(/^Board\n {2}feature {2,}what is built/)
    expect(groupHelp('nothing', look())).toBeUndefined()
  })

  it.each([40, 60, 80, 100])('fits into %i columns', (width) => {
    for (const text of [overview(look(width)), allCommands(look(width))])
      expect(widest(text)).toBeLessThanOrEqual(width)
  })
})

describe('a topic', () => {
  it.each(Object.keys(HELP_TOPICS))('%s is a page of the documentation, in lines that fit', (topic) => {
    expect(existsSync(new URL(`../../docs/${topic}.md`, import.meta.url))).toBe(true)
    const text = topicText(topic, look())!
    // Code is shown as it is; all else is wrapped, unless it is one word.
    const tooWide = text
      .split('\n')
      .filter((line) => line.length > 80 && !line.startsWith('    ') && line.trim().includes(' '))
    expect(tooWide).toEqual([])
    expect(text).not.toMatch(/\]\(|\*\*|^#|^```/m)
  })

  it('there is for every page that is not made from the commands', () => {
    const pages = globSync('docs/*.md').map((path) => basename(path, '.md'))
    expect(pages.filter((page) => page !== 'cli').sort()).toEqual(Object.keys(HELP_TOPICS).sort())
    for (const name of Object.values(TOPIC_NAMES)) expect(Object.keys(HELP_TOPICS)).toContain(name)
  })

  it('that is a command, too, points to its options', () => {
    expect(topicText('loop', look())).toContain('ralph loop --help')
  })
})

it('the glossary explains each word once, in one paragraph', () => {
  const page = readFileSync(new URL('../../docs/words.md', import.meta.url), 'utf8')
  expect(page.trim().split('\n\n')).toHaveLength(2)
  for (const word of 'feature iteration learning ledger knowledge gate receipt conversation exchange'.split(
    ' ',
  ))
    expect(page.match(new RegExp(`\\*\\*${word}\\*\\*`, 'g')), word).toHaveLength(1)
})

describe('markdown as text', () => {
  it('wraps what is prose, keeps what is code, and names pages by their command', () => {
    const text = markdownText(
      [
        '# Title',
        '',
        'See [the loop](loop.md#gates) or [a site](https://example.org), and **this**.',
        '',
        '- one entry that goes on',
        '  in the next line',
        '',
        '```sh',
        'ralph status --json | jq .',
        '```',
        '',
        '| a | b |',
        '|---|---|',
        '| x | y \\| z |',
      ].join('\n'),
      look(40),
    )
    expect(text).toBe(
      [
        'Title',
        '',
        'See the loop (ralph help loop) or a site',
        '(https://example.org), and this.',
        '',
        '- one entry that goes on in the next',
        '  line',
        '',
        '    ralph status --json | jq .',
        '',
        'a  b',
        'x  y | z',
        '',
      ].join('\n'),
    )
  })
})
