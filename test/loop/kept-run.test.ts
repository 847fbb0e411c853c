import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asKept } from '../../src/loop/agent/kept-run.ts'
import type { AgentRun } from '../../src/transcripts/agent-run.ts'
import type { AgentName } from '../../src/transcripts/agents.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { recording } from './stand-in-agents.ts'

/** Where the program would have kept the session of that recording, in a home of its own. */
const KEPT: Partial<Record<AgentName, { file: string; at: (sessionId: string) => string }>> = {
  codex: {
    file: '02-mended.rollout.jsonl',
    at: (id) => `2026/11/16/rollout-2026-11-16T17-00-00-${id}.jsonl`,
  },
  gemini: {
    file: '02-mended.session.jsonl',
    at: (id) => `project/chats/session-2026-11-16T17-00-${id.slice(0, 8)}.jsonl`,
  },
  copilot: { file: '02-mended.events.jsonl', at: (id) => `${id}/events.jsonl` },
}

async function ranAndKept(agent: AgentName) {
  const places = sessionPlaces({}, await temporaryFolder())
  const run = await readTranscript(recording(agent, '02-mended'), { process: { exitCode: 0 } })
  const { file, at } = KEPT[agent]!
  const path = join(places[agent], at(run.sessionId!))
  await mkdir(dirname(path), { recursive: true })
  await copyFile(new URL(`../fixtures/agents/${agent}/session-files/${file}`, import.meta.url), path)
  return { run, places, path }
}

const failed = ({ toolCalls }: AgentRun) => toolCalls.filter(({ status }) => status === 'failed').length

describe('a run of which its program kept more than it printed', () => {
  it('has the patch that failed and the model of Codex', async () => {
    const { run, places } = await ranAndKept('codex')
    const kept = await asKept(run, places)
    expect(kept.model).toBeTruthy()
    expect(run.model).toBeUndefined()
    expect(failed(kept)).toBeGreaterThan(failed(run))
    expect(kept).toMatchObject({ ending: run.ending, result: run.result, process: run.process })
  })

  it('has the calls as Gemini kept them, with their exit codes, and the tokens of Copilot', async () => {
    const gemini = await ranAndKept('gemini')
    const { toolCalls } = await readTranscript(gemini.path)
    expect((await asKept(gemini.run, gemini.places)).toolCalls).toEqual(toolCalls)
    expect(gemini.run.toolCalls).not.toEqual(toolCalls)
    const copilot = await ranAndKept('copilot')
    expect(copilot.run.usage).toBeUndefined()
    expect((await asKept(copilot.run, copilot.places)).usage).toBeDefined()
  })

  it('is what it printed where nothing of it is kept, or only rubbish, or it was cut off', async () => {
    const { run, places, path } = await ranAndKept('codex')
    expect(await asKept(run, undefined)).toBe(run)
    expect(await asKept(run, sessionPlaces({}, await temporaryFolder()))).toBe(run)
    const cut: AgentRun = { ...run, ending: 'cut' }
    expect(await asKept(cut, places)).toBe(cut)
    await writeFile(path, 'not a rollout\n')
    expect(await asKept(run, places)).toBe(run)
  })
})
