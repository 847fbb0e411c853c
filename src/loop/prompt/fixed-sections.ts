import type { Task } from '../../board/task.ts'
import { nameOrQuoted, quotedLines } from '../../text/quote.ts'
import { LOOP_PROMPT_MARK } from '../../transcripts/own-marks.ts'
import { type PromptSection, without } from './assemble.ts'
import type { PromptFile, PromptFiles } from './files.ts'

export function introduction(): PromptSection {
  const text = `${LOOP_PROMPT_MARK} one of many, for the task below.`
  return { name: 'introduction', sizes: [{ text, worth: 100 }] }
}

export function fileSection({ files, stale, mode }: PromptFiles): PromptSection {
  const name = 'files'
  if (files.length === 0 && stale.length === 0) return without(name)
  const title = '## Files worth knowing'
  const staleLines = stale.map((path) => `- [STALE: ${nameOrQuoted(path)} does not exist any more]`)
  const names = [title, [...files.map(nameLine), ...staleLines].join('\n')].join('\n\n')
  const nothing = { text: '', worth: 100, leftOut: [`files: ${files.length}, even their names (budget)`] }
  const namesOnly = {
    text: names,
    worth: 35,
    items: files.map((file) => item(file, `${file.why}, name only`, undefined)),
    leftOut: files
      .filter((file) => file.text !== undefined)
      .map((file) => `${file.path}: only its name (budget)`),
  }
  if (mode === 'names') {
    const reason = 'only its name (the files have more than 4,000 tokens in all)'
    const leftOut = files.map(({ path }) => `${path}: ${reason}`)
    return { name, sizes: [{ ...namesOnly, leftOut }, nothing] }
  }
  const blocks = files.map((file) => (file.text === undefined ? nameLine(file) : fileBlock(file)))
  const contents = {
    worth: 30,
    text: [title, ...blocks, ...(staleLines.length > 0 ? [staleLines.join('\n')] : [])].join('\n\n'),
    items: files.map((file) => item(file, file.why, file.text)),
    leftOut: files.flatMap((file) => (file.leftOut ? [`${file.path}: ${file.leftOut}`] : [])),
  }
  return { name, sizes: [contents, namesOnly, nothing] }
}

function nameLine({ path, why }: PromptFile): string {
  return `- ${nameOrQuoted(path)} (${why})`
}

function fileBlock({ path, why, text = '', pointer }: PromptFile): string {
  const note = pointer ? `\n\n${pointer}` : ''
  return `### ${nameOrQuoted(path)} (${why})\n\n${quotedLines(text)}${note}`
}

function item(file: PromptFile, why: string, text: string | undefined) {
  const about = { files: [file.path] }
  return { kind: 'file', source: file.path, why, ...(text === undefined ? {} : { text }), about }
}

/** What the agent can do with memory itself: ask where there is something to find, note where it may. */
export interface MemoryAccess {
  ask: boolean
  note: boolean
}

export function toolSection({ ask, note }: MemoryAccess): PromptSection {
  const name = 'memory tools'
  const uses = [
    ...(ask ? ['`search_feature_memory` finds more of earlier runs, by words or an exact error'] : []),
    ...(note ? ['`append_feature_learning` keeps what the code does not show'] : []),
  ]
  if (uses.length === 0) return without(name)
  return {
    name,
    sizes: [
      { text: `## Memory tools\n\n${uses.join('; ')}.`, worth: 70 },
      { text: '', worth: 100 },
    ],
  }
}

/** How the iteration tells the loop what came of it. */
export function closingSection(task: Task): PromptSection {
  const text = [
    '## When you finish',
    [
      `In \`.ralph/db/tasks.yaml\`, for task ${task.id} only: \`status: done\` if all is done and the checks pass; else \`in_progress\` or \`blocked\`, and a line under \`comments\` saying what is left or why.`,
      'End with a short summary: what you did and why, what failed, "Next:" what is left.',
    ].join('\n'),
  ].join('\n\n')
  return { name: 'closing', sizes: [{ text, worth: 100 }] }
}
