import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isBelowLoop } from '../../src/loop/agent/inside-run.ts'
import { listCommands, parseCommands, parseWmicCommands } from '../../src/loop/agent/process-table.ts'
import { skipBecause } from '../support/needs.ts'

const NODE = String.raw`"C:\Program Files\nodejs\node.exe"`
const RALPH = String.raw`C:\npm\node_modules\ralph-memory\bin\ralph.js`

/** As PowerShell lists them: number, parent, command. */
const WINDOWS = [
  '4 0 ',
  '900 4 C:\\Windows\\explorer.exe',
  `1000 900 ${NODE} "${RALPH}" loop --once`,
  '1100 1000 C:\\Windows\\system32\\cmd.exe /d /s /c "claude.cmd ^"-p^""',
  `1200 1100 ${NODE} C:\\npm\\claude\\cli.js -p`,
  `1300 1200 powershell -c ralph gates approve 1`,
  // A terminal of the person's; the parent of one has ended, and its number is its own child's by now.
  '2000 900 powershell.exe',
  '3000 3100 cmd.exe',
  '3100 3000 node tool.js',
  `3200 3100 ${NODE} "${RALPH}" status`,
].join('\r\n')

describe('whose child a process is on Windows', () => {
  const table = parseCommands(WINDOWS)
  it.each([
    [1300, true],
    [1200, true],
    [1000, true],
    [2000, false],
    [3100, false],
    [77, false],
  ])('%d is below a loop: %s', (pid, expected) => expect(isBelowLoop(table, pid)).toBe(expected))

  it('is told by wmic too, where PowerShell is forbidden', () => {
    const text = [
      'CommandLine                             ParentProcessId  ProcessId  \r',
      '                                        0                4          \r',
      `${NODE} "${RALPH}" loop      4                1000       \r`,
      'cmd.exe /c claude.cmd 2 3               1000             1100       \r',
      '\r',
    ].join('\n')
    const listed = parseWmicCommands(text)
    expect(listed.get(1100)).toEqual({ parent: 1000, command: 'cmd.exe /c claude.cmd 2 3' })
    expect(listed.get(4)).toEqual({ parent: 0, command: '' })
    expect(isBelowLoop(listed, 1100)).toBe(true)
    expect(isBelowLoop(listed, 4)).toBe(false)
  })
})

it.each([
  ['node /usr/lib/node_modules/ralph-memory/bin/ralph.js loop', true],
  ['node /home/ann/shop/node_modules/.bin/ralph-memory loop --once', true],
  ['ralph loop', true],
  ['vim ralph-loop.md', false],
  ['node ralph.js looping', false],
])('%j is a loop: %s', (command, expected) => {
  expect(isBelowLoop(new Map([[7, { parent: 1, command }]]), 7)).toBe(expected)
})

it('is listed by ps', async () => {
  skipBecause(existsSync('/bin/ps') ? undefined : 'there is no /bin/ps')
  const commands = await listCommands('darwin')
  expect(commands.get(process.pid)).toMatchObject({ parent: process.ppid })
})
