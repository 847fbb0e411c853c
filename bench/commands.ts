/** Cold start of the command: how long a person waits, as figures and as ratios to starting Node at all. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRalph } from '../src/ralph.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { newIteration } from '../test/support/records.ts'
import { RandomTexts } from './support/random-texts.ts'
import { inTurns, printHead, printRow, runOnce, sayHowQuiet } from './support/rounds.ts'

const ROUNDS = 20
const ITERATIONS = 300
/** How many times as long as a bare node each may take. */
const GOALS: { [name: string]: number } = {
  'ralph --version': 2,
  'ralph --help': 2,
  'ralph status': 3,
  'ralph memory search': 6,
}

const command = await builtCommand()
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
const home = join(folder, 'home')
const ralph = await openRalph({ project: folder, home })
const random = new RandomTexts(3)
for (let at = 0; at < ITERATIONS; at++) {
  // What is found differs, as iterations do: those that say the same would be looked at several times over.
  const about = at % 10 === 0 ? 'the login form' : random.text(3)
  await ralph.featureMemory.recordIteration(
    newIteration({ feature: 'auth', taskTitle: random.text(5), summary: `${about}: ${random.text(30)}` }),
  )
}
await ralph.featureMemory.catchUp('auth')
await ralph.close()

const env = { ...process.env, RALPH_HOME: home }
const run = (...words: string[]) => runOnce([command, ...words], { cwd: folder, env })
const taken = await inTurns(
  {
    'node -e 0': () => runOnce(['-e', '0'], { cwd: folder, env }),
    'ralph --version': () => run('--version'),
    'ralph --help': () => run('--help'),
    'ralph status': () => run('status'),
    'ralph memory recent': () => run('memory', 'recent', '--feature', 'auth'),
    'ralph memory search': () => run('memory', 'search', 'login form', '--feature', 'auth'),
    'ralph search': () => run('search', 'login form'),
  },
  ROUNDS,
)
const node = taken.get('node -e 0')!
printHead(`Cold start, ${ROUNDS} rounds`)
for (const [name, times] of taken) printRow(name, times, node, GOALS[name])
sayHowQuiet(node)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
