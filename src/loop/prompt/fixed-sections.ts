import type { Task } from '../../board/task.ts'
import { asData, sanitise } from '../../text/sanitise.ts'
import { LOOP_PROMPT_MARK } from '../../transcripts/loop-prompt.ts'
import { type Section, without } from './assemble.ts'
import type { PromptFile, PromptFiles } from './files.ts'

export function introduction(): Section {
  const text = `${LOOP_PROMPT_MARK} one task of this project, one of many runs. What earlier runs left for you is below.`
  return { name: 'introduction', sizes: [{ text, worth: 100 }] }
}

export function fileSection({ files, stale, mode }: PromptFiles): Section {
  const name = 'files'
  if (files.length === 0 && stale.length === 0) return without(name)
  const title = '## Files worth knowing'
  const staleLines = stale.map((path) => `- [STALE: ${asData(path)} does not exist any more]`)
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
  return `- ${asData(path)} (${why})`
}

function fileBlock({ path, why, text = '', pointer }: PromptFile): string {
  const clean = sanitise(text)
  // A fence longer than any inside cannot be closed from inside.
  const longest = Math.max(2, ...[...clean.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const note = pointer ? `\n${pointer}` : ''
  return `### ${asData(path)} (${why})\n\n${fence}\n${clean.trimEnd()}\n${fence}${note}`
}

function item(file: PromptFile, why: string, text: string | undefined) {
  return { kind: 'file', source: file.path, why, ...(text === undefined ? {} : { text }) }
}

export function toolSection(available: boolean): Section {
  if (!available) return without('memory tools')
  const full = [
    '## Memory tools',
    [
      'Before you begin, ask memory what is known; it costs little.',
      '- `search_feature_memory`: what earlier iterations did, in your own words or with an exact error message',
      '- `get_failed_attempts`: what did not work, for a task or the whole feature',
      '- `get_recent_iterations`, `get_feature_files`: what happened lately, and which files matter',
      '- `append_feature_learning`: note what the next iteration should know and could not see from the code; say why',
    ].join('\n'),
  ].join('\n\n')
  const short =
    '## Memory tools\n\nAsk `search_feature_memory` and `get_failed_attempts` before you begin; note what you learned with `append_feature_learning`.'
  return {
    name: 'memory tools',
    sizes: [
      { text: full, worth: 15 },
      { text: short, worth: 78 },
      { text: '', worth: 100 },
    ],
  }
}

/** How the iteration tells the loop what came of it. */
export function closingSection(task: Task): Section {
  const text = [
    '## When you finish',
    [
      `Work on task ${task.id} only. Run the project's checks before you call it done.`,
      `Then say what came of it in \`.ralph/db/tasks.yaml\`, in the entry with \`id: ${task.id}\` and nowhere else:`,
      '- everything asked for is done and the checks pass: `status: done`',
      '- begun but not finished: `status: in_progress`, and a line under `comments` saying what is left',
      '- it cannot be done as it stands: `status: blocked`, and a line under `comments` saying why',
      'End with a short summary: what you did, what you decided and why, what did not work.',
    ].join('\n'),
  ].join('\n\n')
  return { name: 'closing', sizes: [{ text, worth: 100 }] }
}
