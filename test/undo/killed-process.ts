/** Does something that is noted for `ralph undo`, and is killed in the middle: `node killed-process.ts PROJECT HOME WHAT`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openRalph } from '../../src/ralph.ts'
import { ChangeHistory } from '../../src/undo/changes.ts'

const [project, home, what] = process.argv.slice(2) as [string, string, 'change' | 'nothing' | 'undo']
const ralph = await openRalph({ project, home, env: {} })
const { config, notices, board } = ralph

const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return (await sleep(60_000)) as never
}

if (what === 'undo') {
  const takeBack: typeof board.takeBack = async (changes) => {
    await board.takeBack(changes.slice(0, 1))
    return die()
  }
  const half = new Proxy(board, {
    get: (whole, name) => (name === 'takeBack' ? takeBack : Reflect.get(whole, name)),
  })
  const history = new ChangeHistory({ config, notices, board: half })
  await history.undo(await history.toUndo())
} else {
  const history = new ChangeHistory(ralph)
  await history.during(`${what} 1 2`, async () => {
    await board.patchTask(1, { title: 'Build it twice' })
    await board.patchTask(1, { title: 'Build it thrice' })
    if (what === 'nothing') await board.patchTask(1, { title: 'Build the form' })
    return die()
  })
}
