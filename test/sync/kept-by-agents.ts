import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { AgentName } from '../../src/transcripts/agents.ts'
import { openStore } from '../transcripts/opencode/stored.ts'

const RECORDED = fileURLToPath(new URL('../fixtures/agents', import.meta.url))
const HOURS_AGO = new Date(Date.now() - 3 * 3_600_000)

interface Kept {
  /** Where the program has put it, below the home folder; `slug` is the project's path with dashes. */
  path: (slug: string) => string
  recording: string
}

/** The recording `02-mended` of each program: a failing command and a failing edit, then mended. */
const SESSIONS: Record<Exclude<AgentName, 'claude-code' | 'opencode'>, Kept> = {
  codex: {
    path: () =>
      '.codex/sessions/2026/11/16/rollout-2026-11-16T17-07-27-01a1e553-f500-7820-8d09-ce15a690c8cf.jsonl',
    recording: 'codex/session-files/02-mended.rollout.jsonl',
  },
  gemini: {
    path: () => '.gemini/tmp/project/chats/session-2026-11-16T17-07-dbe6cb5c.jsonl',
    recording: 'gemini/session-files/02-mended.session.jsonl',
  },
  qwen: {
    path: (slug) => `.qwen/projects/${slug}/chats/12003ed0-f1a1-4d0f-802a-12165fc08918.jsonl`,
    recording: 'qwen/session-files/02-mended.session.jsonl',
  },
  copilot: {
    path: () => '.copilot/session-state/47dd8271-1b8a-4e87-aa37-42f6f88856e6/events.jsonl',
    recording: 'copilot/session-files/02-mended.events.jsonl',
  },
  pi: {
    path: (slug) =>
      `.pi/agent/sessions/-${slug}--/2026-11-16T17-16-27-355Z_01a1e55c-335a-7184-95a7-cc6afdf5893c.jsonl`,
    recording: 'pi/session-files/02-mended.session.jsonl',
  },
}

/** Puts a session of each program where it keeps its own, as if it had taken place in this project some hours ago. */
export function keepSessionsOfAll(userHome: string, project: string): void {
  const slug = project.replace(/[^a-zA-Z0-9]/g, '-')
  for (const { path, recording } of Object.values(SESSIONS)) {
    const text = readFileSync(join(RECORDED, recording), 'utf8').replaceAll('/home/user/project', project)
    put(join(userHome, path(slug)), text)
  }
  put(join(userHome, '.gemini/tmp/project/.project_root'), project)
  const store = join(userHome, '.local/share/opencode/opencode.db')
  openStore(store, ['02-mended']).close()
  moveTo(store, project)
  utimesSync(store, HOURS_AGO, HOURS_AGO)
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, HOURS_AGO, HOURS_AGO)
}

function moveTo(store: string, project: string): void {
  const database = new DatabaseSync(store)
  for (const [table, column] of [
    ['project', 'worktree'],
    ['session', 'directory'],
    ['message', 'data'],
    ['part', 'data'],
  ])
    database
      .prepare(`UPDATE ${table} SET ${column} = replace(${column}, '/home/user/project', ?)`)
      .run(project)
  const then = HOURS_AGO.getTime()
  database.prepare('UPDATE session SET time_updated = ?').run(then)
  database.prepare('UPDATE part SET time_updated = ?').run(then)
  database.close()
}
