import { describe, expect, it } from 'vitest'
import { removeTable, setTable } from '../../src/agent-config/toml-edit.ts'

const PATH = ['mcp_servers', 'ralph'] as const
const ENTRY = { command: '/usr/bin/node', args: ['C:\\x', 'mcp'] }
const FILE = `# my settings
model = "gpt-5"
notes = """
[mcp_servers.ralph]
not a header
"""

[mcp_servers.docs] # keep
command = "docs"

[mcp_servers.docs.env]
KEY = "value"
`
const TABLE = '[mcp_servers.ralph]\ncommand = "/usr/bin/node"\nargs = ["C:\\\\x", "mcp"]\n'

describe('editing TOML', () => {
  it('appends the table and leaves the rest alone', () => {
    expect(setTable(FILE, PATH, ENTRY)).toBe(`${FILE}\n${TABLE}`)
    expect(setTable('', PATH, ENTRY)).toBe(TABLE)
  })

  it('takes it out again without a trace', () => {
    expect(removeTable(setTable(FILE, PATH, ENTRY), PATH)).toBe(FILE)
    expect(removeTable(FILE, PATH)).toBe(FILE)
  })

  it('replaces an older table, with its sub-tables, in place', () => {
    const old = `[mcp_servers."ralph"]\ncommand = "old"\n[mcp_servers.ralph.env]\nA = "b"\n\n# next\n[other]\nx = 1\n`
    expect(setTable(old, PATH, ENTRY)).toBe(`${TABLE}\n# next\n[other]\nx = 1\n`)
  })

  it('keeps CRLF', () => {
    expect(setTable('a = 1\r\n', PATH, { command: 'x' })).toBe(
      'a = 1\r\n\r\n[mcp_servers.ralph]\r\ncommand = "x"\r\n',
    )
  })

  it.each([
    ['mcp_servers = { ralph = { command = "x" } }\n'],
    ['mcp_servers.ralph.command = "x"\n'],
    ['[mcp_servers]\nralph = { command = "x" }\n'],
  ])('leaves a file alone that keeps its servers in another spelling: %s', (text) => {
    expect(() => setTable(text, PATH, ENTRY)).toThrow('cannot be edited safely')
  })
})
