import { setTimeout as sleep } from 'node:timers/promises'
import type { Ralph } from '../../../src/index.ts'
import { Book } from '../core/book.ts'
import { start } from '../core/children.ts'
import { sentenceOf } from '../core/random.ts'
import { settled, type Trial } from '../core/trial.ts'
import { makeWorld, opened, type World } from '../core/world.ts'
import type { Found, WritePath } from '../core/write-path.ts'

const IN_ONE_FEATURE = 8
const MOST_BETWEEN = 30
const KINDS = ['edit', 'review', 'gate'] as const
type Kind = (typeof KINDS)[number]

/** What is decided on the page: a learning put into other words, one approved, a gate passed. Once each. */
interface Decision {
  id: string
  kind: Kind
  /** Of the learning or the gate. */
  subject: string
  feature: string
}

/** What the library finds of what the page has decided. */
const decided: WritePath = {
  name: 'dashboard',
  what: 'a decision on the dashboard: a learning edited, one approved, a gate passed',
  write: () => Promise.reject(new Error('the page writes')),
  async find({ board, learnings, knowledge }): Promise<Found> {
    const ids: string[] = []
    for (const { name } of await board.features())
      for (const { text, reviewed } of await learnings.known(name)) {
        const [id, kind] = text.split(':')[0]!.split('/') as [string, string?]
        if (kind === undefined || (kind === 'review' && reviewed)) ids.push(id)
      }
    const gates = await knowledge.gates.list({ state: 'decided', limit: 200 })
    return { ids: [...ids, ...gates.entries.map(({ taskTitle }) => taskTitle)] }
  },
}

export const dashboard: Trial = {
  name: 'dashboard',
  what: decided.what,
  share: 5,
  async run({ folder, random, writes, signal, progress }) {
    const world = makeWorld(folder)
    const decisions = await opened(world, (ralph) => toDecide(ralph, world, Math.min(writes, 600)))
    const book = new Book()
    let kills = 0
    while (decisions.length > 0 && !signal.aborted) {
      const child = await page(world)
      for (let left = random.between(0, MOST_BETWEEN); decisions.length > 0; left--) {
        const next = decisions.pop()!
        if (left <= 0) void sleep(random.next() * 15).then(() => child.kill())
        book.hear(`try ${next.id}`)
        if (await child.decides(next)) book.hear(`ok ${next.id}`)
        else break
        progress(book.acknowledged.size)
      }
      await child.kill()
      kills++
    }
    return await settled({ name: dashboard.name, what: dashboard.what, world, random }, [decided], {
      ...{ book, kills, crashed: [] },
    })
  },
}

/** Everything that is decided later, each thing once. */
async function toDecide(
  { board, learnings, knowledge }: Ralph,
  { project }: World,
  count: number,
): Promise<Decision[]> {
  const decisions: Decision[] = []
  for (let number = 0; number < count; number++) {
    const id = `w0n${number}`
    const kind = KINDS[number % KINDS.length]!
    const feature = `f${Math.floor(number / IN_ONE_FEATURE)}`
    if (!(await board.findFeature(feature))) await board.addFeature({ name: feature })
    if (kind === 'gate') {
      const gate = {
        project,
        taskId: number + 1,
        taskTitle: id,
        gateType: 'done',
        approach: `Do ${sentenceOf(id)}`,
      }
      decisions.push({ id, kind, feature, subject: (await knowledge.gates.request(gate)).id })
      continue
    }
    const text = `${id}/${kind}: ${sentenceOf(`${id} before`)}`
    const { learning } = await learnings.append(feature, { text, reason: 'the soak', source: 'human' })
    const known = (await learnings.known(feature)).find((one) => one.text === learning?.text)
    decisions.push({ id, kind, feature, subject: known!.id })
  }
  return decisions
}

/** The dashboard as a process of its own, and a browser that was let in. */
async function page({ project, home, env }: World) {
  const { promise: address, resolve } = Promise.withResolvers<string>()
  const child = start('bin/ralph.js', ['dashboard', '--port', '0'], resolve, {
    cwd: project,
    env: { ...env, HOME: home, RALPH_HOME: home, NO_COLOR: '1' },
  })
  const url = await Promise.race([address, child.ended.then(() => Promise.reject(new Error(child.errors())))])
  const { origin } = new URL(url)
  const letIn = await fetch(url, { redirect: 'manual' })
  const headers = {
    ...{ cookie: letIn.headers.getSetCookie()[0]!.split(';')[0]!, origin },
    'content-type': 'application/json',
  }
  const ask = (method: string, path: string, body: object = {}) =>
    fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) })
  return {
    kill: async () => {
      child.process.kill('SIGKILL')
      await child.ended
    },
    /** False when nobody answered any more. */
    decides: async ({ id, kind, subject, feature }: Decision): Promise<boolean> => {
      const answer = await (kind === 'gate'
        ? ask('POST', `/gates/${subject}/approve`)
        : kind === 'review'
          ? ask('POST', `/features/${feature}/learnings/${subject}/review`)
          : ask('PUT', `/features/${feature}/learnings/${subject}`, { text: `${id}: ${sentenceOf(id)}` })
      ).catch(() => undefined)
      if (answer && !answer.ok) throw new Error(`${kind} ${id}: ${answer.status} ${await answer.text()}`)
      return answer !== undefined && (await answer.text().catch(() => undefined)) !== undefined
    },
  }
}
