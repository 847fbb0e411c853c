import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  listProcesses,
  type ProcessEntry,
  parseListing,
  parsePairs,
} from '../../src/loop/agent/process-table.ts'
import { type FirstProcess, RunProcesses } from '../../src/loop/agent/process-tree.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

const FOREVER = 'setInterval(() => {}, 1e3)'

/** A process of no run that has started another, in a group of its own, and says its number. */
async function parentWithDetachedChild() {
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const child = require('node:child_process')
         .spawn(process.execPath, ['-e', '${FOREVER}'], { detached: true, stdio: 'ignore' })
       console.log(child.pid)
       ${FOREVER}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  started.push(parent)
  const [said] = await once(parent.stdout!, 'data')
  return { parent, child: Number(said) }
}

describe('a listing', () => {
  it.each([
    [
      'of macOS, with the environment',
      [
        '    1     0 Ss   Tue Nov 17 05:01:12 2026     /sbin/launchd',
        '  812     1 S+   Tue Nov  7 05:19:03 2026     node agent.js HOME=/Users/a RALPH_LOOP_RUN=run-1 LANG=C',
        '  813     1 R    Tue Nov 17 05:19:04 2026     node agent.js RALPH_LOOP_RUN=run-12',
        '  814     1 Z    Tue Nov 17 05:19:04 2026     (node)',
        '',
      ].join('\n'),
      [
        { pid: 1, parent: 0, started: 'Tue Nov 17 05:01:12 2026', marked: false },
        { pid: 812, parent: 1, started: 'Tue Nov  7 05:19:03 2026', marked: true },
        { pid: 813, parent: 1, started: 'Tue Nov 17 05:19:04 2026', marked: false },
      ],
    ],
    [
      'of Windows',
      '4 0 - 134078400000000000\r\n6120 4 - 134078412345678901\r\n',
      [
        { pid: 4, parent: 0, started: '134078400000000000', marked: false },
        { pid: 6120, parent: 4, started: '134078412345678901', marked: false },
      ],
    ],
    ['of nothing', '', []],
    ['of something else', 'ps: illegal option -- E\nusage: ps [-AaCcEefhjlMmrSTvwXx]', []],
  ])('%s', (_, text, expected) => expect(parseListing(text, 'run-1')).toEqual(expected))

  it('of a Windows without PowerShell, which tells no starts', () => {
    const text =
      'ParentProcessId  ProcessId  \r\r\n4                6120       \r\r\n6120             96\r\r\n\r\n'
    expect(parsePairs(text)).toEqual([
      { pid: 6120, parent: 4, marked: false },
      { pid: 96, parent: 6120, marked: false },
    ])
    expect(parsePairs('wmic is not recognised')).toEqual([])
  })
})

describe('on Windows, where children keep the number of a parent that is gone', () => {
  const entry = (pid: number, parent: number, started?: string): ProcessEntry => ({
    pid,
    parent,
    marked: false,
    ...(started !== undefined && { started }),
  })
  const [shell, agent, leftBehind, other] = [7_000_004, 7_000_008, 7_000_012, 7_000_016]

  /** What is alive at each look. */
  async function looks(...tables: ProcessEntry[][]) {
    const processes = new RunProcesses('run-1', { pid: shell }, 'win32', async () => tables.shift()!)
    const found: number[][] = []
    while (tables.length > 0) found.push(await processes.alive())
    return found
  }

  it.each([['1'], [undefined]])('an orphan is found by a parent that was seen (start %s)', async (start) => {
    expect(
      await looks(
        [entry(shell, 4, start), entry(agent, shell, start), entry(other, 4, start)],
        [entry(leftBehind, agent, start), entry(other, 4, start)],
      ),
    ).toEqual([[shell, agent], [leftBehind]])
  })

  it('a number that somebody else has by now is nobody of ours', async () => {
    const before = [entry(shell, 4, '1'), entry(agent, shell, '1')]
    const after = [entry(agent, 4, '2'), entry(leftBehind, agent, '3')]
    expect(await looks(before, after)).toEqual([[shell, agent], []])
  })

  it('without starts nothing is known again by its number alone', async () => {
    const before = [entry(shell, 4), entry(agent, shell)]
    expect(await looks(before, [entry(agent, 4)])).toEqual([[shell, agent], []])
  })
})

describe.skipIf(process.platform === 'win32')('where marks cannot be seen', () => {
  const withoutMarks: typeof listProcesses = async (...args) =>
    (await listProcesses(...args)).map((entry) => ({ ...entry, marked: false }))
  const look = (first: FirstProcess) => new RunProcesses('run-1', first, process.platform, withoutMarks)

  it('a detached child that was seen once is found when its parent is gone, and ended', async () => {
    const { parent, child } = await parentWithDetachedChild()
    const processes = look({ pid: parent.pid! })
    expect((await processes.alive()).toSorted()).toEqual([parent.pid!, child].toSorted())
    const gone = once(parent, 'exit')
    parent.kill('SIGKILL')
    await gone
    expect(await processes.alive()).toEqual([child])
    await processes.kill('SIGKILL')
    await expect.poll(() => processes.alive(), { timeout: 30_000 }).toEqual([])
  })

  it('a process is known again by its number and start, not by its number alone', async () => {
    const { parent, child } = await parentWithDetachedChild()
    const first = await look({ pid: parent.pid! }).first()
    expect(first).toEqual({ pid: parent.pid, started: expect.stringMatching(/\d+$/) })
    const later = look(first!)
    expect((await later.alive()).toSorted()).toEqual([parent.pid!, child].toSorted())
    const another = { ...first!, started: 'Sun Jan  1 00:00:00 2023' }
    expect(await look(another).alive()).toEqual([])
    await later.kill('SIGKILL')
  })

  it('nothing that we descend from is ever taken for a run', async () => {
    expect(await look({ pid: process.ppid }).alive()).toEqual([])
  })

  it.skipIf(!existsSync('/bin/ps'))('the listing of ps tells our own number and parent', async () => {
    const { pid, ppid: parent } = process
    expect(await listProcesses('run-1', 'freebsd')).toContainEqual(expect.objectContaining({ pid, parent }))
  })
})

it.skipIf(process.platform === 'win32')(
  'where processes cannot be listed there are none, and nothing fails',
  async () => {
    const processes = new RunProcesses('run-1', { pid: 2 ** 22 + 1 }, 'win32')
    expect(await processes.alive()).toEqual([])
    await processes.kill('SIGTERM')
  },
)
