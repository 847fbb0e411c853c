import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError } from '../../errors.ts'

/** Claude Code keeps what its sub-agents did in `<session>/subagents/` beside `<session>.jsonl`. */
export async function subAgentFiles(path: string): Promise<string[]> {
  if (!path.endsWith('.jsonl')) return []
  const directory = join(path.slice(0, -'.jsonl'.length), 'subagents')
  try {
    const names = await readdir(directory)
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(directory, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, directory, "cannot read the sub-agents' transcripts")
  }
}
