// One of several processes that search and record in the same projects at once; says what it has found.
import { readFileSync } from 'node:fs'
import { openScene } from './scene.ts'
import type { CrowdTask } from './surfaces/crowd.ts'
import { library } from './surfaces/library.ts'
import { askOnce, emptyTally } from './tally.ts'
import { iterationOf, originOf } from './world/fill.ts'
import { Random } from './world/random.ts'
import { openedProjects } from './world/world.ts'

const SEARCHES_PER_RECORD = 10

const task = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as CrowdTask
const opened = openedProjects()
const scene = openScene({ ...task, ...opened }, new Random(task.seed), { searches: task.searches })
const tally = emptyTally()
const surface = await library.open(scene)
for (let asked = 0; asked < task.searches; asked++) {
  await askOnce(surface, tally, { surface: 'crowd', driver: task.driver })
  if (asked % SEARCHES_PER_RECORD !== 0) continue
  const asker = scene.asker()
  const ralph = await opened.ralph(asker)
  const origin = originOf(asker, asker.feature, 'iteration')
  await ralph.featureMemory.recordIteration(iterationOf(origin, asker.name, asked))
}
await opened.closeAll()
process.stdout.write(JSON.stringify(tally))
