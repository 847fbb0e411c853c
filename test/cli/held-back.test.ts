import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wholeProgram } from '../../src/cli/program.ts'
import { tellsNothing } from '../../src/cli/tells-nothing.ts'
import { HELD_BACK } from '../../src/held-back.ts'
import { openRalph } from '../../src/ralph.ts'
import { saidBy } from '../support/in-process.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const WITHHELD = { RALPH_LOOP_RUN: 'run-1', RALPH_LOOP_MEMORY: 'withheld' }
const GIVEN = { RALPH_LOOP_RUN: 'run-1', RALPH_LOOP_MEMORY: 'given' }

let place: { cwd: string; home: string }
beforeAll(async () => {
  const folder = await temporaryFolder(afterAll)
  place = { cwd: join(folder, 'shop'), home: join(folder, 'home') }
  const board = join(place.cwd, '.ralph', 'db')
  mkdirSync(board, { recursive: true })
  writeFileSync(join(board, 'features.yaml'), 'features:\n  - name: authentication\n')
  writeFileSync(
    join(board, 'tasks.yaml'),
    'tasks:\n  - id: 7\n    title: Form\n    feature: authentication\n    status: pending\n',
  )
  const ralph = await openRalph({ project: place.cwd, home: place.home, env: { RALPH_EMBEDDER: 'none' } })
  await ralph.featureMemory.recordIteration(newIteration({ summary: 'Tamed the quagga of the basket.' }))
  await ralph.learnings.append('authentication', {
    ...{ text: 'The quagga wants to be awaited', reason: 'it hung', source: 'agent' },
  })
  await ralph.close()
})

/** Every command that can be called, by its whole name. */
function called(command: Command, names: readonly string[] = []): { name: string; command: Command }[] {
  const own = (command as unknown as { _actionHandler?: unknown })._actionHandler
  return [
    ...(own ? [{ name: names.join(' '), command }] : []),
    ...command.commands.flatMap((one) => called(one, [...names, one.name()])),
  ]
}

it('knows of every command whether it tells of memory: a new one is silent until somebody says that it tells nothing', async () => {
  const telling = called(await wholeProgram()).filter(({ command }) => !tellsNothing(command))
  // `status` looks at counts, `demo` has a project of its own, `completion` prints a script: none of them opens memory this way.
  expect(telling.map(({ name }) => name)).toEqual([
    ...['search', 'show', 'status', 'dashboard', 'chat', 'demo', 'feature show', 'prompt'],
    ...[
      'memory search',
      'memory recent',
      'memory files',
      'memory failures',
      'memory errors',
      'memory export',
    ],
    ...['learnings list', 'learnings show', 'learnings remove', 'learnings review', 'learnings merge'],
    ...['learnings edit', 'knowledge query', 'knowledge context', 'knowledge list', 'knowledge show'],
    ...['knowledge export', 'conversations search', 'conversations export', 'conversations list'],
    ...['conversations show', 'conversations clusters', 'conversations tag list', 'documents list'],
    ...['receipts', 'completion', 'rag tags', 'summarizer conversation', 'summarizer exchange'],
  ])
})

it.each([
  ['search', 'quagga'],
  ['show', 'i-authentication-1'],
  ['prompt', '7'],
  ['receipts'],
  ['feature', 'show', 'authentication'],
  ['memory', 'search', 'quagga', '--feature', 'authentication'],
  ['memory', 'recent', '--feature', 'authentication'],
  ['memory', 'export', '--feature', 'authentication'],
  ['learnings', 'list', '--feature', 'authentication'],
  ['knowledge', 'list'],
  ['conversations', 'list'],
  ['chat'],
  ['dashboard'],
])('ralph %s %s says only that memory is held back, and fails nobody', async (...words) => {
  const { stdout, stderr, code } = await saidBy(words, { ...place, env: WITHHELD })
  expect({ stdout, stderr, code }).toEqual({ stdout: `${HELD_BACK}\n`, stderr: '', code: 0 })
  const asJson = await saidBy([...words, '--json'], { ...place, env: WITHHELD })
  expect(JSON.parse(asJson.stdout)).toEqual({ held_back: true, note: HELD_BACK })
})

it('tells a run with memory as always', async () => {
  const { stdout } = await saidBy(['memory', 'recent', '--feature', 'authentication'], {
    ...place,
    env: GIVEN,
  })
  expect(stdout).toContain('quagga')
})

it('shows of the status no more than counts', async () => {
  const { stdout } = await saidBy(['status'], { ...place, env: WITHHELD })
  expect(stdout).toContain('authentication')
  expect(stdout).not.toContain('quagga')
})

it('keeps what is learned, and says nothing of what it is like or contradicts', async () => {
  const add = (text: string) => [
    ...['learnings', 'add', text, '--feature', 'authentication'],
    ...['--reason', 'it did not hang', '--source', 'agent'],
  ]
  for (const text of ['The quagga wants to be awaited', 'The quagga does not want to be awaited']) {
    const { stdout, stderr } = await saidBy(add(text), { ...place, env: WITHHELD })
    expect(`${stdout}${stderr}`).toBe(`kept. ${HELD_BACK}\n`)
  }
  const { stdout } = await saidBy(['learnings', 'list', '--feature', 'authentication'], place)
  expect(stdout.match(/The quagga .*want.* to be awaited$/gm)).toEqual([
    'The quagga wants to be awaited',
    'The quagga does not want to be awaited',
  ])
})
