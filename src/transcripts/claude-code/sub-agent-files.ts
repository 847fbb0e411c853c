import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
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

/** The file of the session that started a sub-agent, from the sub-agent's own. */
export function parentFile(path: string, parentId: string): string {
  const folder = dirname(path)
  // <project>/<session>/subagents/agent-….jsonl; older versions: <project>/agent-….jsonl
  const project = basename(folder) === 'subagents' ? dirname(dirname(folder)) : folder
  return join(project, `${parentId}.jsonl`)
}
