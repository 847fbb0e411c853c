import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { listProcesses, parseListing } from '../../src/loop/agent/process-table.ts'
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
