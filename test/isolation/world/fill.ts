import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewIteration } from '../../../src/feature-memory/record.ts'
import type { Ralph } from '../../../src/ralph.ts'
import { baitOf, type Kind, markOf, NONE, type Origin, originsIn } from './marks.ts'
import { COMMANDS, errorOf, FILES, TITLES, textOf } from './texts.ts'
import type { World, WorldPerson, WorldProject } from './world.ts'

/** Gives every place of the world the same memories. */
export async function fillWorld(world: World, onProject: (done: number) => void = () => undefined) {
  for (const [done, project] of world.projects.entries()) {
    await fillProject(world, project)
    onProject(done + 1)
  }
  for (const person of world.people) await fillPerson(world, person)
}

export function originOf({ of, project }: WorldProject, feature: number, kind: Kind): Origin {
  return { team: of.team, person: of.person, project, feature, kind }
}

/** An iteration as every feature has it: the same task, error, files and command, and two words of its own. */
export function iterationOf(origin: Origin, feature: string, at: number): NewIteration {
  const [title, command] = [TITLES[at % TITLES.length]!, COMMANDS[at % COMMANDS.length]!]
  const failed = at % 3 !== 2
  const message = errorOf(origin, at)
  return {
    ...{ feature, taskId: (at % 4) + 1, taskTitle: `${title} ${markOf(origin)}`, discipline: 'backend' },
    timestamp: new Date(Date.UTC(2026, 1 + (at % 9), 1 + (at % 27), 12)).toISOString(),
    outcome: failed ? 'failure' : 'success',
    summary: textOf(origin, at),
    filesTouched: [
      { path: FILES[at % FILES.length]!, action: 'modified' },
      { path: `src/${baitOf(origin)}/${markOf(origin)}.ts`, action: 'created' },
    ],
    errors: failed ? [{ message, type: 'test', filePath: FILES[0], command }] : [],
    checks: [
      {
        ...{ command, kind: 'test', result: failed ? 'failed' : 'passed', changedBefore: true },
        ...{ signatures: failed ? [message.toLowerCase()] : [], changedAfter: false },
      },
    ],
  }
}

async function fillProject(world: World, project: WorldProject): Promise<void> {
  const ralph = await world.ralph(project)
  for (const [feature, name] of world.features.entries()) {
    const origin = (kind: Kind) => originOf(project, feature, kind)
    for (let at = 0; at < world.size.iterations; at++)
      await ralph.featureMemory.recordIteration(iterationOf(origin('iteration'), name, at))
    // Removed again before anybody asks.
    await ralph.featureMemory.recordIteration({ ...iterationOf(origin('forgotten'), name, 0), taskId: 99 })
    await ralph.board.addFeature({ name, description: textOf(origin('board'), 0) })
    await ralph.board.addTask({ title: `${TITLES[0]} ${markOf(origin('board'))}`, feature: name })
    await ralph.learnings.append(name, {
      ...{ text: textOf(origin('learning'), 1), reason: textOf(origin('learning'), 2), source: 'human' },
    })
    noteReceipt(ralph, origin('receipt'), name)
  }
  for (const name of world.features) await ralph.featureMemory.forget(name, { taskId: 99 })
  await shareKnowledge(ralph, project)
}

function noteReceipt(ralph: Ralph, origin: Origin, feature: string): void {
  const text = textOf(origin, 0)
  ralph.receipts.append({
    ...{ surface: 'mcp', event: 'search_feature_memory', run: `run-${origin.project}`, feature },
    items: [{ kind: 'iteration', source: 'iteration 1', why: 'found by words', text }],
  })
}

async function shareKnowledge(ralph: Ralph, project: WorldProject): Promise<void> {
  const origin = (kind: Kind) => originOf(project, NONE, kind)
  await ralph.knowledge.capture({
    ...{ kind: 'failure_solution', project: ralph.config.project, agentType: 'backend' },
    failureDescription: textOf(origin('knowledge'), project.project),
    errorMessage: errorOf(origin('knowledge'), project.project),
    solutionSteps: textOf(origin('knowledge'), project.project + 1),
  })
  await ralph.knowledge.checkpoint('manual')
  await ralph.knowledge.gates.request({
    ...{ project: ralph.config.project, taskId: 1, gateType: 'review' },
    taskTitle: `${TITLES[0]} ${markOf(origin('gate'))}`,
    approach: textOf(origin('gate'), 0),
  })
}

/** Conversations and documents: the same ids and names of files for everybody. */
async function fillPerson(world: World, person: WorldPerson): Promise<void> {
  const project = world.projects.find(({ of }) => of === person)!
  const { conversations, documents } = await world.ralph(project)
  const origin = (kind: Kind) => ({ ...originOf(project, NONE, kind), project: NONE })
  for (let at = 0; at < world.size.conversations; at++) {
    const isShared = world.sharesStorage && at % 4 === 1
    const kind = isShared ? 'shared' : at % 4 === 3 ? 'forgotten' : 'exchange'
    const text = textOf(origin(kind), at)
    const conversationId = `talk-${at}`
    for (let part = 0; part < 2; part++)
      await conversations.record(
        {
          ...{ conversationId, userMessage: `${text}?`, assistantMessage: `${TITLES[part]}: ${text}` },
          startedAt: new Date(Date.UTC(2026, 1 + (at % 9), 1 + (at % 27), 12, part)),
          messages: [{ role: 'tool_result', content: text }],
        },
        { source: 'api', title: `${TITLES[0]} ${markOf(origin(kind))}`, project: project.path },
      )
  }
  await settleTalks(world, person)
  mkdirSync(person.papers, { recursive: true })
  for (const [at, file] of ['handbook.md', 'notes.md', 'README.md'].entries())
    writeFileSync(join(person.papers, file), `# ${TITLES[at]}\n\n${textOf(origin('document'), at)}\n`)
  await documents.add([person.papers])
}

/** Shares what is shared, takes back what was shared too long, forgets what is to be forgotten, embeds the rest. */
async function settleTalks(world: World, person: WorldPerson): Promise<void> {
  const { conversations } = await world.ralph(world.projects.find(({ of }) => of === person)!)
  const { conversations: listed } = await conversations.list({ limit: 1_000 })
  const own = listed.filter(({ from }) => from === undefined)
  for (const { id, title } of own) {
    const kind = originsIn(title)[0]?.kind
    if (kind === 'forgotten') await conversations.forget(id)
    if (world.sharesStorage && kind === 'exchange') {
      await conversations.sharing.share([id])
      await conversations.sharing.unshare([id])
    }
    if (kind === 'shared') await conversations.sharing.share([id])
  }
  await conversations.workers.runOnce(new AbortController().signal)
}
