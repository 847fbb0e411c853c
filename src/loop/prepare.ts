import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { Snapshot } from '../board/guard/guard.ts'
import type { RunMemory } from '../feature-memory/record.ts'
import { writeOwnFile } from '../files/own-files.ts'
import { keepReceipts } from './after/receipts.ts'
import { MCP_SERVER_NAME, type MemoryOffer, memoryOffer } from './agent/command.ts'
import { claudeCodeProgram } from './agent/programs/claude-code.ts'
import type { Servers } from './agent/programs/program.ts'
import { writeRunMcpConfig } from './agent/run-mcp-config.ts'
import type { ChosenAgent } from './agent-choice.ts'
import { briefRun, type RunBriefing } from './brief-run.ts'
import type { Emit } from './events.ts'
import { FolderWatch } from './folder-watch.ts'
import type { FeatureHistory } from './history.ts'
import { JournalWatch } from './journal-watch.ts'
import type { LoopOptions, LoopParts, LoopSignals } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import type { KnowledgeBlock } from './prompt/prompt.ts'
import { type RunFacts, type RunFiles, runStart } from './run-file.ts'
import { SettingsGuard, type SettingsSnapshot } from './settings-guard.ts'
import { taskState } from './stagnation.ts'
import { trustedServers } from './trusted-servers.ts'
import type { Work } from './work.ts'

export interface IterationContext {
  parts: LoopParts
  options: LoopOptions
  signals: LoopSignals
  runs: RunFiles
  emit: Emit
  /** The agent runs: there is time for what can wait. */
  onAgentStarted: () => void
  /** Dollars this iteration may cost. */
  maxCost: number | undefined
  memoryTools: MemoryOffer
  agent: ChosenAgent
}

type NewRunFacts = RunFacts & { memory: RunMemory }

export interface Preparation {
  facts: NewRunFacts
  snapshot: Snapshot
  settings: SettingsSnapshot | undefined
  prompt: Prompt
  shown: KnowledgeBlock | undefined
  /** The state of all tasks, as a hash. */
  before: string
  journals: JournalWatch
  folder: FolderWatch
  /** The MCP servers of the run. */
  servers: Servers
}

/** A review looks at the feature as a whole. */
const NO_TASK = 0

/** Everything before the agent starts: what it is told, what it may reach, and how to tell afterwards what it did. */
export async function prepareRun(
  context: IterationContext,
  work: Work,
  history: FeatureHistory,
): Promise<Preparation> {
  const { parts, runs, agent } = context
  await runs.prepare()
  const before = taskState(await parts.board.tasks())
  const snapshot = await parts.board.guard.snapshot()
  const settings = await new SettingsGuard(parts.settings, parts.cacheDir).snapshot()
  const task = work.kind === 'task' ? work.task : undefined
  const briefing = await briefRun(context, work, history)
  const { prompt, knowledge, stale, memory } = briefing
  if (task && stale.length > 0) await dropStaleFiles(parts, task.feature, stale)
  const facts = newRun(runs, work, briefing, agent)
  const discipline = task && (await parts.board.findDiscipline(task.discipline))
  const offer = memory.given ? memoryOffer(agent.words, parts.env) : 'nothing'
  const rights = { reviewer: facts.review, readOnly: offer === 'reading' }
  const server = offer === 'nothing' ? undefined : parts.mcpServer(facts.feature, facts.runId, rights)
  const servers = { ...trustedServers(parts, discipline), ...(server && { [MCP_SERVER_NAME]: server }) }
  await writeRunMcpConfig(runs.file(facts.runId, '.mcp.json'), servers, agent.program)
  writeOwnFile(runs.file(facts.runId, '.prompt.md'), prompt.text)
  await runs.save(facts)
  keepReceipts(parts.receipts, facts, briefing)
  const journals = await JournalWatch.open(parts.featureMemory)
  const folder = await FolderWatch.open(dirname(parts.board.dir))
  return { facts, snapshot, settings, prompt, shown: knowledge, before, journals, folder, servers }
}

function newRun(
  runs: RunFiles,
  work: Work,
  { prompt, memory }: RunBriefing,
  { program }: ChosenAgent,
): NewRunFacts {
  const startedAt = new Date().toISOString()
  const runId = `${runStart(startedAt)}-${randomUUID().slice(0, 8)}`
  const shownLearnings = prompt.items
    .filter(({ kind }) => kind === 'learning')
    .map(({ source }) => source.replace('learning ', ''))
  const shared = {
    runId,
    startedAt,
    agent: program?.name,
    log: runs.logPath(runId),
    phase: 'running' as const,
    shownLearnings,
    memory,
  }
  if (work.kind === 'review') {
    const title = `Review of ${work.feature}`
    const before = { status: '', comments: 0 }
    return {
      ...shared,
      review: true,
      feature: work.feature,
      taskId: NO_TASK,
      taskTitle: title,
      discipline: 'review',
      modelTier: (program ?? claudeCodeProgram).reviewModel,
      before,
    }
  }
  const { id, title, feature, discipline, status, comments } = work.task
  const before = { status, comments: comments.length }
  return { ...shared, review: false, feature, taskId: id, taskTitle: title, discipline, before }
}

async function dropStaleFiles(
  { board }: LoopParts,
  feature: string,
  stale: readonly string[],
): Promise<void> {
  await board.updateFeature(feature, ({ contextFiles }) => ({
    contextFiles: contextFiles.filter(({ path }) => !stale.includes(path)),
  }))
}
