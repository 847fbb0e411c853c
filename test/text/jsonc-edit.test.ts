import { describe, expect, it } from 'vitest'
import { parseJsonc, plainValue } from '../../src/text/jsonc.ts'
import { appendTo, getIn, removeAt, setIn } from '../../src/text/jsonc-edit.ts'
import fc from '../support/fast-check.ts'

const parse = (text: string) => plainValue(parseJsonc(text))

describe('reading JSON with comments', () => {
  it('takes comments, trailing commas and a byte order mark', () => {
    const text = '\uFEFF{ // head\n  "a": [1, 2,], /* mid */ "b": {"c": "x // no comment",},\n}\n// tail'
    expect(parse(text)).toEqual({ a: [1, 2], b: { c: 'x // no comment' } })
  })

  it.each([
    ['{"a": 1', 'line 1'],
    ['{\n  "a": tru\n}', 'line 2'],
    ['{"a" 1}', 'expected ":"'],
    ['{"a":1} x', 'something follows'],
    ["{'a': 1}", 'double quotes'],
    ['['.repeat(1000), 'too deeply'],
    ['{"a":1,,}', 'double quotes'],
  ])('says what is wrong with %s', (text, message) => {
    expect(() => parseJsonc(text)).toThrow(message)
  })

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parse(JSON.stringify(value, null, 2))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('editing', () => {
  const FILE = `{
    // our servers
    "mcpServers": {
        "github": { "command": "gh-mcp" }, // keep me
        "files": {
            "command": "fs"
        } /* and me */
    },
    "other": [1, 2]
}
`

  it('adds a member in the style of its neighbours and touches nothing else', () => {
    const edited = setIn(FILE, ['mcpServers', 'ralph'], { command: 'node', args: ['mcp'] })
    expect(edited).toBe(
      FILE.replace(
        '        } /* and me */\n',
        `        }, /* and me */
        "ralph": {
            "command": "node",
            "args": [
                "mcp"
            ]
        }
`,
      ),
    )
  })

  it('takes it out again without a trace', () => {
    const edited = setIn(FILE, ['mcpServers', 'ralph'], { command: 'node' })
    expect(removeAt(edited, ['mcpServers', 'ralph'])).toBe(FILE)
  })

  it('keeps the comments of the others when one goes', () => {
    const list =
      '{\n  // about a\n  "a": 1, // a\n  // about b\n  "b": 2, // b\n  // about c\n  "c": 3 // c\n}'
    expect(removeAt(list, ['a'])).toContain('// about b\n  "b": 2, // b\n  // about c\n  "c": 3 // c\n}')
    expect(removeAt(list, ['b'])).toContain('"c": 3 // c\n}')
    expect(removeAt(list, ['c'])).toContain('"b": 2 // b\n}')
    expect(removeAt('[\n  1,\n  2,\n]', [1])).toBe('[\n  1,\n]')
    expect(removeAt('[1, 2, 3]', [1])).toBe('[1, 3]')
  })

  it('replaces a value in place', () => {
    expect(setIn(FILE, ['mcpServers', 'github'], { command: 'other' })).toContain(
      '"github": {\n            "command": "other"\n        }, // keep me',
    )
  })

  it('keeps CRLF, tabs, one-line objects and trailing commas', () => {
    expect(setIn('{\r\n\t"a": 1\r\n}\r\n', ['b'], { c: 1 })).toBe(
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}\r\n',
    )
    expect(setIn('{"a": {"x": 1}}', ['a', 'y'], { z: 2 })).toBe('{"a": {"x": 1, "y": {"z":2}}}')
    expect(setIn('{\n  "a": 1,\n}', ['b'], 2)).toBe('{\n  "a": 1,\n  "b": 2,\n}')
  })

  it('fills an empty file and an empty object', () => {
    expect(setIn('', ['a', 'b'], 1)).toBe('{\n  "a": {\n    "b": 1\n  }\n}\n')
    expect(setIn('{}', ['a'], 1)).toBe('{\n  "a": 1\n}')
    expect(setIn('{\n  // nothing yet\n}\n', ['a'], 1)).toBe('{\n  // nothing yet\n  "a": 1\n}\n')
  })

  it('appends to lists, making them if need be', () => {
    expect(appendTo('{\n  "a": [\n    1\n  ]\n}', ['a'], 2)).toBe('{\n  "a": [\n    1,\n    2\n  ]\n}')
    expect(parse(appendTo('{"x": 1}', ['hooks', 'Stop'], { a: 1 }))).toEqual({
      x: 1,
      hooks: { Stop: [{ a: 1 }] },
    })
  })

  it('refuses to walk through what is no object', () => {
    expect(() => setIn('{"mcpServers": []}', ['mcpServers', 'ralph'], 1)).toThrow(
      'mcpServers is not an object',
    )
    expect(() => appendTo('{"hooks": {"Stop": {}}}', ['hooks', 'Stop'], 1)).toThrow('not a list')
  })

  it('leaves a file without the entry alone', () => {
    expect(removeAt(FILE, ['mcpServers', 'ralph'])).toBe(FILE)
    expect(removeAt('', ['a'])).toBe('')
    expect(removeAt(FILE, ['nothing', 'here'])).toBe(FILE)
  })

  const key = fc.constantFrom('a', 'b', 'ralph', 'mcpServers')
  const layout = fc.constantFrom(undefined, 2, 4, '\t')

  it('means the same as the edit on the plain value, whatever the file', () => {
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.dictionary(key, fc.jsonValue())),
        layout,
        key,
        key,
        fc.jsonValue(),
        (value, indent, outer, inner, added) => {
          const plain = JSON.parse(JSON.stringify(value))
          const clean = JSON.parse(JSON.stringify(added))
          const edited = setIn(JSON.stringify(value, null, indent), [outer, inner], clean)
          expect(parse(edited)).toEqual({ ...plain, [outer]: { ...plain[outer], [inner]: clean } })
          expect(getIn(edited, [outer, inner])).toEqual(clean)
          const removed = parse(removeAt(edited, [outer, inner])) as Record<string, object>
          const { [inner]: _gone, ...left } = plain[outer] ?? {}
          expect(removed[outer]).toEqual(left)
        },
      ),
    )
  })

  it('adding and taking out gives the file back, byte for byte, where there was something beside it', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue(), { minKeys: 1 }), layout, (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(removeAt(setIn(text, ['new'], { x: [1] }), ['new'])).toBe(text)
      }),
    )
  })
})
