import type { Feature } from '../../board/feature.ts'
import { readProjectText } from '../../files/project-text.ts'
import { nameOrQuoted } from '../../text/quote.ts'
import type { Tokenizer } from '../../text/tokens.ts'

export interface PromptFile {
  path: string
  /** Why it is here: "knowledge", "touched in 5 iterations". */
  why: string
  /** Absent for a file of which only the name is shown. */
  text?: string | undefined
  /** Where the rest is. */
  pointer?: string | undefined
  leftOut?: string | undefined
}

export interface PromptFiles {
  files: PromptFile[]
  /** Listed, but not there any more. */
  stale: string[]
  mode: 'contents' | 'names'
}

const LARGE_FILE_TOKENS = 2_000
const LARGE_FILE_SHOWN = 500
const ALL_FILES_TOKENS = 4_000
/** Nothing longer is worth counting: it would not be shown anyway. */
const READ_BYTES = 256 * 1024

/** Reads the feature's knowledge and context files as far as they belong into a prompt. Changes nothing. */
export async function promptFiles(
  project: string,
  feature: Feature | undefined,
  tokenizer: Tokenizer,
): Promise<PromptFiles> {
  const result: PromptFiles = { files: [], stale: [], mode: 'contents' }
  let tokens = 0
  for (const { path, why } of wantedFiles(feature)) {
    const content = await readProjectText(project, path, READ_BYTES)
    if (content.kind === 'missing') result.stale.push(path)
    else if (content.kind !== 'text')
      result.files.push({ path, why, leftOut: 'no text, or outside the project' })
    else {
      const file = shown(path, why, content.text, feature!.name, tokenizer)
      tokens += tokenizer.count(file.text ?? '')
      result.files.push(file)
    }
  }
  if (tokens > ALL_FILES_TOKENS) result.mode = 'names'
  return result
}

function wantedFiles(feature: Feature | undefined): { path: string; why: string }[] {
  if (!feature) return []
  const knowledge = feature.knowledgePaths.map((path) => ({ path, why: 'knowledge' }))
  const context = [...feature.contextFiles]
    .sort((a, b) => b.touchCount - a.touchCount)
    .map(({ path, source, touchCount }) => ({
      path,
      why:
        source === 'human' || touchCount === 0
          ? `context, from ${source}`
          : `touched in ${touchCount} iterations`,
    }))
  const known = new Set(feature.knowledgePaths)
  return [...knowledge, ...context.filter(({ path }) => !known.has(path))]
}

function shown(
  path: string,
  why: string,
  content: string,
  feature: string,
  tokenizer: Tokenizer,
): PromptFile {
  if (tokenizer.fits(content, LARGE_FILE_TOKENS)) return { path, why, text: content }
  const parts = [feature, 'files', ...path.split('/')]
  const resource = `feature://${parts.map(encodeURIComponent).join('/')}`
  return {
    path,
    why,
    text: tokenizer.truncate(content, LARGE_FILE_SHOWN),
    pointer: `(The beginning of a longer file. All of it: read ${nameOrQuoted(path)}, or the resource ${resource})`,
    leftOut: `all but the first ${LARGE_FILE_SHOWN} tokens`,
  }
}
