import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Mapping } from '../../src/board/yaml/edit.ts'
import { type EntryList, knownFrom, readEntries } from '../../src/board/yaml/read.ts'
import { type EntryEdit, editList } from '../../src/board/yaml/write.ts'
import fc from '../support/fast-check.ts'

const ORDER = ['id', 'title', 'description', 'criteria', 'status', 'blocked_by', 'comments']

function read(text: string): EntryList {
  const reading = readEntries(text, 'tasks')
  if (!reading.ok) throw new Error(JSON.stringify(reading.issues))
  return reading.list
}

function edited(text: string, edit: EntryEdit): string {
  return editList(read(text), edit, ORDER).text
}

/** Undefined where the library cannot read what it wrote itself, as some plain strings in flow style. */
function parsed(source: string) {
  try {
    return parse(source)
  } catch {
    return undefined
  }
}

const BOARD = `# What is to be done. Ask Ann before changing ids.
version: 1

tasks:
  # The first one matters most.
  - id: 1
    title:   "Build the form"   # Ann's words
    description: |
      Two lines,
      of which this is the second.

      # not a comment
    criteria:
      - mails are checked   # see RFC
      # the tests decide
      - tests pass
    status: pending  # waiting for design


  # Second.
  -   id: 2
      title: 'Wire it up'
      blocked_by: [ 1 ]
      comments:
      - author: bob
        text: >-
          folded
          text

# the end
`

describe('reading a list', () => {
  it.each([
    ['an empty file', ''],
    ['only comments', '# nothing yet\n'],
    ['a key without value', 'tasks:\n'],
    ['a key with commented examples', 'tasks:\n  # - id: 1\n'],
    ['an empty list', 'tasks: []\n'],
    ['null', 'tasks: ~\n'],
    ['only a document marker', '---\n'],
  ])('takes %s for an empty list, and the first entry fits in', (_, text) => {
    expect(read(text).entries).toEqual([])
    const after = edited(text, { kind: 'append', value: { id: 1, title: 'x' } })
    expect(parse(after).tasks).toEqual([{ id: 1, title: 'x' }])
    for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment)
  })

  it('knows the line of every entry', () => {
    expect(read(BOARD).entries.map((entry) => entry.line)).toEqual([6, 21])
  })

  it.each([
    ['a bare list', '- id: 1\n- id: 2\n'],
    ['a list in the column of its key', 'tasks:\n- id: 1\n- id: 2\n'],
    ['flow style', '{"tasks": [{"id": 1}, {"id": 2}]}'],
    ['anchors across entries', 'tasks:\n  - &a {id: 1}\n  - <<: *a\n    id: 2\n'],
    ['other keys around', 'a: |\n  - id: 9\ntasks:\n  - id: 1\n  - id: 2\nz: {y: [1]}\n'],
    ['Windows line ends and a byte order mark', '\ufefftasks:\r\n  - id: 1\r\n  - id: 2\r\n'],
  ])('reads %s', (_, text) => {
    expect(read(text).entries.map((entry) => (entry.value as Mapping).id)).toEqual([1, 2])
  })

  it.each([
    ['tasks:\n  - id: 1\n    title: "open\n  - id: 2\n', 3, /quote/],
    ['tasks:\n  - id: 1\n   bad: 2\n', 3, /YAML/],
    ['tasks:\n\t- id: 1\n', 2, /tab/i],
    ['task:\n  - id: 1\n', 1, /no "tasks:" list \(found: task\)/],
    ['tasks:\n  one: {}\n', 1, /must be a list/],
    ['tasks:\n  - id: 1\n---\ntasks: []\n', 3, /document/],
    ['tasks:\n  - id: 1\ntasks:\n  - id: 2\n', 3, /unique/],
    ['tasks:\n  - id: 1\n    id: 2\n', 3, /unique/],
    ['tasks:\n  - *nowhere\n', 1, /nowhere/],
    ['just words', 1, /must hold a list/],
  ])('says where %j is broken', (text, line, message) => {
    const reading = readEntries(text, 'tasks')
    expect(reading.ok).toBe(false)
    if (reading.ok) return
    expect(reading.issues[0]!.message).toMatch(message)
    expect(reading.issues[0]!.line).toBe(line)
  })

  it('does not parse an unchanged entry again', () => {
    const before = read(BOARD)
    const after = readEntries(BOARD.replace('pending', 'done'), 'tasks', knownFrom(before))
    expect(after.ok && after.list.entries[1]!.value).toBe(before.entries[1]!.value)
    expect(after.ok && (after.list.entries[0]!.value as Mapping).status).toBe('done')
  })
})

describe('editing keeps everything else as it was', () => {
  const first = read(BOARD).entries[0]!.value as Mapping
  const second = read(BOARD).entries[1]!.value as Mapping

  it('replaces only the characters of a changed value', () => {
    const after = edited(BOARD, { kind: 'replace', at: 0, value: { ...first, status: 'done' } })
    expect(after).toBe(BOARD.replace('status: pending  #', 'status: done  #'))
  })

  it('keeps quotes around a quoted value', () => {
    const after = edited(BOARD, { kind: 'replace', at: 0, value: { ...first, title: 'Shorter' } })
    expect(after).toBe(BOARD.replace('"Build the form"', '"Shorter"'))
  })

  it('adds to a list inside an entry', () => {
    const value = { ...first, criteria: [...(first.criteria as string[]), 'it is documented'] }
    const after = edited(BOARD, { kind: 'replace', at: 0, value })
    expect(after).toBe(
      BOARD.replace('      - tests pass\n', '      - tests pass\n      - it is documented\n'),
    )
  })

  it('takes one from a list inside an entry', () => {
    const after = edited(BOARD, { kind: 'replace', at: 0, value: { ...first, criteria: ['tests pass'] } })
    expect(after).toBe(BOARD.replace('      - mails are checked   # see RFC\n', ''))
  })

  it('changes one field of a mapping in a list', () => {
    const value = { ...second, comments: [{ author: 'carol', text: 'folded text' }] }
    const after = edited(BOARD, { kind: 'replace', at: 1, value })
    expect(after).toBe(BOARD.replace('author: bob', 'author: carol'))
  })

  it('puts a new field where it usually stands', () => {
    const after = edited(BOARD, { kind: 'replace', at: 1, value: { ...second, status: 'blocked' } })
    expect(after).toBe(BOARD.replace("title: 'Wire it up'\n", "title: 'Wire it up'\n      status: blocked\n"))
  })

  it('removes a field', () => {
    const { blocked_by: _, ...value } = second
    const after = edited(BOARD, { kind: 'replace', at: 1, value })
    expect(after).toBe(BOARD.replace('      blocked_by: [ 1 ]\n', ''))
  })

  it('replaces prose of several lines', () => {
    const after = edited(BOARD, {
      kind: 'replace',
      at: 0,
      value: { ...first, description: 'New.\nAlso new.\n' },
    })
    expect(after).toContain(
      '    description: |\n      New.\n      Also new.\n    criteria:\n      - mails are checked   # see RFC',
    )
  })

  it('appends an entry before what is said at the end of the file', () => {
    const after = edited(BOARD, { kind: 'append', value: { id: 3, title: 'Three', blocked_by: [1, 2] } })
    expect(after).toBe(
      BOARD.replace(
        '          text\n\n',
        '          text\n  - id: 3\n    title: Three\n    blocked_by: [1, 2]\n\n',
      ),
    )
  })

  it('removes an entry with the comment directly above it', () => {
    expect(edited(BOARD, { kind: 'remove', at: 0 })).toBe(
      BOARD.slice(0, BOARD.indexOf('  # The first')) + BOARD.slice(BOARD.indexOf('  # Second.')),
    )
    expect(edited(BOARD, { kind: 'remove', at: 1 })).toBe(
      `${BOARD.slice(0, BOARD.indexOf('  # Second.'))}\n# the end\n`,
    )
  })

  it('keeps Windows line ends', () => {
    const text = BOARD.replaceAll('\n', '\r\n')
    const value = { ...(read(text).entries[0]!.value as Mapping), status: 'done', description: 'a\nb\n' }
    const after = edited(text, { kind: 'replace', at: 0, value })
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    expect(parse(after).tasks[0].description).toBe('a\nb\n')
  })

  it('works on a file without a last line feed', () => {
    const text = 'tasks:\n  - id: 1\n    title: x'
    expect(edited(text, { kind: 'replace', at: 0, value: { id: 1, title: 'x', status: 'done' } })).toBe(
      'tasks:\n  - id: 1\n    title: x\n    status: done',
    )
    expect(parse(edited(text, { kind: 'append', value: { id: 2 } })).tasks).toHaveLength(2)
  })

  it('keeps comments also where only the library can edit', () => {
    const text = '# top\n{tasks: [\n  # one\n  {id: 1, title: a}\n]}\n'
    const after = edited(text, { kind: 'replace', at: 0, value: { id: 1, title: 'b' } })
    expect(after).toContain('# top')
    expect(after).toContain('# one')
    expect(parse(after)).toEqual({ tasks: [{ id: 1, title: 'b' }] })
  })
})

describe('any entry, any edit', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[ \t\n#:\-'"|>&*!%@`{}[\],a-c0-9]*$/),
    fc.constantFrom(
      'yes',
      'null',
      '~',
      '1e3',
      '0x1f',
      '- a',
      'a: b',
      'a #b',
      ' lead',
      'trail ',
      '\n\n',
      'a\r\nb',
      '---',
      'a\u2028 b',
      '\u2028\n x',
    ),
  )
  const scalar = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  const entry = fc
    .record(
      {
        title: text,
        description: text,
        criteria: fc.array(text, { maxLength: 4 }),
        blocked_by: fc.array(fc.nat(9), { maxLength: 4 }),
        comments: fc.array(
          fc.record({ author: text, text: scalar }, { requiredKeys: ['text'], noNullPrototype: true }),
          { maxLength: 4 },
        ),
        extra: fc.dictionary(fc.constantFrom('a', 'b', 'c'), scalar, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .chain((fields) => fc.nat().map((id): Mapping => ({ id, ...fields })))
  const options = fc.record({
    indentSeq: fc.boolean(),
    collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
    defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'BLOCK_LITERAL' as const),
  })

  it('cuts into the entries that a whole parse finds', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), options, fc.boolean(), (tasks, format, bare) => {
        const source = stringify(bare ? tasks : { before: 'x\n- y', tasks, after: ['z'] }, format)
        const whole = parsed(source)
        fc.pre(whole !== undefined)
        expect(read(source).entries.map((one) => one.value)).toEqual(bare ? whole : whole.tasks)
      }),
      { numRuns: 80 },
    )
  })

  it('becomes exactly what was asked for', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 4 }),
        entry,
        fc.nat(3),
        options,
        (tasks, next, pick, format) => {
          const source = stringify({ tasks }, format)
          fc.pre(parsed(source) !== undefined)
          const list = read(source)
          const at = pick % tasks.length
          // editList itself verifies the values of all entries; here we only ask that it always finds a way.
          for (const edit of [
            { kind: 'replace', at, value: next },
            { kind: 'insert', at, value: next },
            { kind: 'append', value: next },
            { kind: 'remove', at },
          ] as const) {
            editList(list, edit, ORDER)
          }
        },
      ),
      { numRuns: 80 },
    )
  })

  it('leaves the other entries of a block list byte for byte', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 3, maxLength: 3 }), entry, (tasks, next) => {
        const list = read(stringify({ tasks }))
        const after = editList(list, { kind: 'replace', at: 1, value: next }, ORDER)
        expect(after.entries[0]!.source).toBe(list.entries[0]!.source)
        expect(after.entries[2]!.source).toBe(list.entries[2]!.source)
      }),
      { numRuns: 80 },
    )
  })
})
