/** Changes tasks, settings and learnings as commands do, and takes some of it back, until it is killed: `node undo-process.ts '{…}'`. */
import { writeSync } from 'node:fs'
import { changeSetting } from '../../../src/configuration/setting-file.ts'
import { openRalph } from '../../../src/ralph.ts'
import { ChangeHistory, type LoggedChange } from '../../../src/undo/changes.ts'
import { Random } from '../core/random.ts'
import type { World } from '../core/world.ts'

export interface UndoOrder {
  name: string
  seed: number
  world: World
  tasks: number
}

const { name, seed, world, tasks } = JSON.parse(process.argv[2]!) as UndoOrder
const { project, home, env } = world
const ralph = await openRalph({ project, home, env })
const history = new ChangeHistory(ralph)
const random = new Random(seed)
const say = (word: 'try' | 'ok', id: string) => writeSync(1, `${word} ${id}\n`)

for (let number = 0; ; number++) {
  const id = `${name}n${number}`
  const last = random.next() < 0.4 ? await toTakeBack() : undefined
  const what = last ? `${id}-undoes-${last.id}` : id
  say('try', what)
  if (last) await history.undo(last)
  else await history.during(`soak ${id}`, () => change(id))
  say('ok', what)
}

/** One task, or several of them, as `ralph task done 1 2 3`; or a setting; or what a learning says. */
async function change(id: string): Promise<void> {
  const what = random.next()
  if (what < 0.15) {
    await changeSetting(ralph.config, 'project', ['loop', 'promptBudget'], random.between(1_000, 1_000_000))
  } else if (what < 0.3) {
    await ralph.learnings.append('shop', {
      text: `Remember ${id} always`,
      reason: 'the soak',
      source: 'human',
    })
  } else {
    const count = random.between(1, 4)
    for (let at = 0; at < count; at++)
      await ralph.board.patchTask(random.between(1, tasks), { title: `Task ${id}-${at}` })
  }
}

/** The last one that still counts, also one that undid another. */
async function toTakeBack(): Promise<LoggedChange | undefined> {
  return (await history.list()).find(({ undoneBy }) => undoneBy === undefined)
}
