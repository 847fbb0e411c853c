import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewKnowledge } from '../project-knowledge/entry.ts'
import type { CheckKind } from '../shell/kinds.ts'
import { packageRoot } from '../version.ts'

/** Three weeks in the sample shop. Made up, and written down through the same doors as anything that happens. */
export interface Story {
  feature: { name: string; displayName: string; description: string; boundaries: string }
  tasks: { title: string; description: string; done: boolean }[]
  /** By name: what can show an error, and what it showed. */
  checks: Record<string, { command: string; kind: CheckKind }>
  errors: Record<string, { message: string; filePath: string; line: number; check: string }>
  iterations: StoryIteration[]
  learnings: {
    text: string
    reason: string
    source: 'auto' | 'agent' | 'human'
    iteration?: number
    files?: string[]
  }[]
  knowledge: NewKnowledge[]
  /** Waiting for the next checkpoint. */
  staged: NewKnowledge[]
  gates: { task: number; gateType: string; approach: string; change: string }[]
  conversations: {
    title: string
    tags: string[]
    vote: number
    /** Days. */
    ago: number
    exchanges: [asked: string, answered: string][]
  }[]
}

export interface StoryIteration {
  /** Days. */
  ago: number
  /** Its place among the tasks. */
  task: number
  outcome: 'success' | 'failure' | 'partial' | 'timeout' | 'rate_limited'
  said: string
  files: string[]
  fails?: string[]
  passes?: string[]
  decided?: string
  /** How many of the memories in its prompt left a trace in what it did. */
  used?: number
}

export function readStory(): Story {
  return JSON.parse(readFileSync(join(packageRoot, 'demo', 'story.json'), 'utf8'))
}
