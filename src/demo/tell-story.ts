import { join } from 'node:path'
import { isDrawn, type NewIteration } from '../feature-memory/record.ts'
import { writeOwnFile } from '../files/own-files.ts'
import type { Prompt } from '../loop/prompt/assemble.ts'
import { RunFiles, runStart } from '../loop/run-file.ts'
import type { Ralph } from '../ralph.ts'
import { errorSignature } from '../text/error-signature.ts'
import { readStory, type Story, type StoryIteration } from './story.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
/** What a made-up iteration costs: about what a small model does. */
const TOKENS = 11_000
const USD_PER_TOKEN = 0.000_004
const PROMPT_TOKENS = 4_000
/**
 * About every fourth of its runs went without memory, as drawn: enough to see what that looks like, too few to claim anything. With this
 * seed those with memory and those without came out much alike, as befits a story.
 */
const HOLDOUT = { share: 0.25, seed: 'demo shop' }

/** Fills a project with what three weeks of work leave behind, so that there is something to look at. */
export async function tellStory(ralph: Ralph, now = new Date()): Promise<void> {
  const story = readStory()
  await ralph.board.addFeature(story.feature)
  const tasks: number[] = []
  for (const { title, description, done } of story.tasks) {
    const task = {
      title,
      description,
      feature: story.feature.name,
      status: done ? 'done' : 'pending',
    } as const
    tasks.push((await ralph.board.addTask(task)).id)
  }
  for (const [at, iteration] of story.iterations.entries()) {
    const record = recordOf(story, iteration, { at, taskId: tasks[iteration.task]!, now })
    const prompt = await ralph.loop.prompt(record.taskId, { budget: PROMPT_TOKENS })
    const draw = { seed: HOLDOUT.seed, iteration: at + 1 }
    const given = !isDrawn(HOLDOUT, record.feature, draw.iteration)
    const memory = { given, pieces: prompt.items.length, holdout: HOLDOUT.share, draw }
    const bare = memory.given
      ? undefined
      : await ralph.loop.prompt(record.taskId, { budget: PROMPT_TOKENS, memory: false })
    const { iterationNumber } = await ralph.featureMemory.recordIteration({ ...record, memory })
    await leaveTraces(ralph, { prompt, bare }, record, { iterationNumber, used: iteration.used })
    await noticed(ralph, story, iterationNumber)
  }
  await noticed(ralph, story, undefined)
  await learn(ralph, story)
  await putBeforePeople(ralph, story, tasks)
  await converse(ralph, story, now)
}

/** What was learned in an iteration, or by somebody outside of any. */
async function noticed(ralph: Ralph, { feature, learnings }: Story, iteration: number | undefined) {
  for (const learning of learnings.filter((one) => one.iteration === iteration))
    await ralph.learnings.append(feature.name, learning)
}

function recordOf(
  { feature, tasks, errors, checks }: Story,
  { ago, task, outcome, said, files, fails = [], passes = [], decided }: StoryIteration,
  { at, taskId, now }: { at: number; taskId: number; now: Date },
): NewIteration {
  const failing = fails.map((name) => errors[name]!)
  const tokensUsed = TOKENS + ((at * 7_919) % 30_000)
  return {
    feature: feature.name,
    taskId,
    taskTitle: tasks[task]!.title,
    discipline: 'backend',
    // In the order of the story also within a day, and never in the future.
    timestamp: new Date(now.getTime() - ago * DAY - (50 - at) * 0.2 * HOUR).toISOString(),
    outcome,
    summary: said,
    errors: failing.map(({ message, filePath, line, check }) => ({
      message,
      filePath,
      line,
      command: checks[check]!.command,
    })),
    decisions: decided === undefined ? [] : [{ description: decided }],
    filesTouched: files.map((path) => ({ path, action: 'modified' as const })),
    checks: [
      ...failing.map(({ message, check }) => ({
        ...checks[check]!,
        result: 'failed' as const,
        signatures: [errorSignature(message)],
      })),
      ...passes.map((name) => ({ ...checks[name]!, result: 'passed' as const, changedBefore: true })),
    ],
    tokensUsed,
    costUsd: tokensUsed * USD_PER_TOKEN,
    durationMs: 60_000 + ((at * 104_729) % 400_000),
    agent: 'claude-code',
    sessionId: `story-${at}`,
  }
}

interface StoryPrompt {
  /** The one that the loop would have given it then. */
  prompt: Prompt
  /** The one that it got, where memory was withheld. */
  bare: Prompt | undefined
}

/** What it was told or what was withheld from it, and what came of that. */
async function leaveTraces(
  ralph: Ralph,
  { prompt, bare }: StoryPrompt,
  { feature, taskId, timestamp, outcome }: NewIteration,
  { iterationNumber, used = 0 }: { iterationNumber: number; used?: number | undefined },
): Promise<void> {
  const run = `${runStart(timestamp)}-story`
  const runs = new RunFiles(join(ralph.config.paths.cache, 'loop'))
  await runs.prepare()
  writeOwnFile(runs.file(run, '.prompt.md'), (bare ?? prompt).text)
  await runs.done(run)
  const about = { surface: 'loop', event: 'prompt', run, feature, taskId } as const
  const { items, tokens, leftOut } = bare ?? prompt
  ralph.receipts.append({ ...about, items, tokens, leftOut })
  if (bare) ralph.receipts.append({ ...about, items: prompt.items, withheld: true })
  const sources = [...new Set(items.map(({ source }) => source))]
  ralph.receipts.ended({ run, outcome, iterationNumber, used: sources.slice(0, used) })
}

async function learn(ralph: Ralph, { knowledge, staged }: Story): Promise<void> {
  const { project } = ralph.config
  for (const entry of knowledge) await ralph.knowledge.capture({ ...entry, project })
  await ralph.knowledge.checkpoint('manual')
  for (const entry of staged) await ralph.knowledge.capture({ ...entry, project })
}

async function putBeforePeople(ralph: Ralph, { feature, tasks, gates }: Story, ids: readonly number[]) {
  const knowledge = await ralph.openKnowledge()
  for (const { task, ...gate } of gates) {
    const { title, description } = tasks[task]!
    await knowledge.gates.request({
      ...gate,
      project: ralph.config.project,
      feature: feature.name,
      taskId: ids[task]!,
      taskTitle: title,
      taskDescription: description,
      agentType: 'claude-code',
    })
  }
}

async function converse(ralph: Ralph, { conversations }: Story, now: Date): Promise<void> {
  const memory = await ralph.openConversations()
  const { project } = ralph.config
  for (const { title, tags, vote, ago, exchanges } of conversations) {
    const conversationId = memory.newId()
    const began = now.getTime() - ago * DAY
    for (const [at, [userMessage, assistantMessage]] of exchanges.entries()) {
      const startedAt = new Date(began + at * 600_000)
      const completedAt = new Date(startedAt.getTime() + 40_000)
      await memory.record(
        { conversationId, userMessage, assistantMessage, startedAt, completedAt },
        { title, source: 'claude-code', project },
      )
    }
    if (tags.length > 0) await memory.tags.add(conversationId, ...tags)
    if (vote > 0) await memory.votes.cast(conversationId, 1)
  }
  await memory.workers.runOnce(new AbortController().signal)
}
