import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeCheckout } from '../../support/checkout.ts'
import { Book } from '../core/book.ts'
import { settled, skipped, type Trial } from '../core/trial.ts'
import { fromRoot, makeWorld, opened, type World } from '../core/world.ts'
import type { Found, WritePath } from '../core/write-path.ts'

const SESSION = 'dcd6e858-73bb-4f97-9734-5dc5b39c3160'
const MOST_SESSIONS = 150
/** What nobody has recorded by then is somebody else's to record; see `hooks/forsaken.ts`. */
const FORSAKEN_AFTER_MS = 21_000
const RECORDED_WITHIN_MS = 60_000

/** Sessions that hooks have told of, as iterations and as conversations, each once. */
const sessions: WritePath = {
  name: 'hooks',
  what: 'a session of an agent that a hook has told of',
  write: () => Promise.reject(new Error('the hooks write')),
  async find({ featureMemory, conversations }): Promise<Found> {
    const ids: string[] = []
    for (const feature of await featureMemory.features())
      for await (const { sessionId } of featureMemory.journal(feature).records()) ids.push(idOf(sessionId))
    const talks = await conversations.history.list({ limit: 1_000 })
    const kept = new Set(talks.map(({ id }) => idOf(id)))
    return { ids, damaged: ids.filter((id) => !kept.has(id)).map((id) => `${id}: is no conversation`) }
  },
}

/** The background in which sessions are recorded, killed at random moments: whoever comes next does it. */
export const hooks: Trial = {
  name: 'hooks',
  what: sessions.what,
  share: 1.5,
  async run({ folder, random, writes, signal, progress }) {
    if (process.platform !== 'linux') return skipped(hooks, 'only Linux tells which processes run, in /proc')
    const world = makeWorld(folder)
    makeCheckout(world.project, 'feature/auth')
    const book = new Book()
    let kills = 0
    for (let number = 0; number < Math.min(writes, MOST_SESSIONS) && !signal.aborted; number++) {
      const id = `w0n${number}`
      book.hear(`try ${id}`)
      endSession(world, number)
      book.hear(`ok ${id}`)
      progress(book.acknowledged.size)
      await sleep(random.between(0, 700))
      if (random.next() < 0.7) kills += killBackground(world)
    }
    await allRecorded(world, book)
    return await settled({ name: hooks.name, what: hooks.what, world, random }, [sessions], {
      ...{ book, kills, crashed: [] },
    })
  },
}

function idOf(session: string | undefined): string {
  return `w0n${Number(session?.slice(-12))}`
}

function sessionOf(number: number): string {
  return SESSION.slice(0, -12) + String(number).padStart(12, '0')
}

/** As Claude Code does: a process of its own, told on standard input. */
function endSession(world: World, number: number): void {
  const transcript = join(world.folder, `session-${number}.jsonl`)
  const text = readFileSync(fromRoot('test/fixtures/session-files/headless-hooks-main.jsonl'), 'utf8')
  // Messages with the same ids would be the same messages, as in a session that was forked.
  const own = text
    .replaceAll(SESSION, sessionOf(number))
    .replace(/"(uuid|parentUuid|promptId|id)":"([^"]{8,})"/g, `"$1":"$2-${number}"`)
  writeFileSync(transcript, own.replaceAll('/home/dev/shop', world.project))
  const told = { session_id: sessionOf(number), transcript_path: transcript, cwd: world.project }
  const input = JSON.stringify({ ...told, hook_event_name: 'SessionEnd', reason: 'other' })
  const { status, stderr } = ralph(world, ['hook', 'SessionEnd'], input)
  if (status !== 0) throw new Error(`the hook ended with ${status}: ${stderr}`)
}

function ralph({ project, home, env }: World, args: readonly string[], input = '') {
  return spawnSync(process.execPath, [fromRoot('bin/ralph.js'), ...args], {
    ...{ cwd: project, input, encoding: 'utf8' },
    env: {
      ...{ PATH: process.env['PATH'], ...env, HOME: home, RALPH_HOME: home },
      RALPH_HOOK_DEADLINE_MS: '20000',
    },
  })
}

/** Whatever works in the background for this project; our own processes only, told by the folder they work for. */
function killBackground({ project }: World): number {
  const mine = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const words = readFileSync(join('/proc', name, 'cmdline'), 'utf8').split('\0')
      return words.includes('background') && words.includes(project)
    } catch {
      return false // it has ended meanwhile
    }
  })
  for (const pid of mine) process.kill(Number(pid), 'SIGKILL')
  return mine.length
}

/** Any command notices what was left behind. */
async function allRecorded(world: World, book: Book): Promise<void> {
  await sleep(FORSAKEN_AFTER_MS)
  const until = performance.now() + RECORDED_WITHIN_MS
  while (performance.now() < until) {
    const { ids } = await opened(world, (open) => sessions.find(open, world, book.acknowledged))
    if (new Set(ids).size >= book.acknowledged.size) break
    ralph(world, ['status'])
    await sleep(2_000)
  }
  killBackground(world)
}
