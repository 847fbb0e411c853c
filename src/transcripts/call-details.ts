import type { ToolKind } from './agent-run.ts'
import { detached } from './excerpt.ts'
import type { CollectLimits } from './limits.ts'

/** File tools of MCP servers, by the names the reference file system server made common. */
const MCP_KINDS = new Map<string | undefined, ToolKind>([
  ['read_file', 'read'],
  ['read_text_file', 'read'],
  ['write_file', 'write'],
  ['create_file', 'write'],
  ['edit_file', 'edit'],
])

/** What a tool of an MCP server does, by the name that the server gave it. */
export function mcpKind(tool: string | undefined): ToolKind {
  return MCP_KINDS.get(tool) ?? 'other'
}

/** The paths of a call that are worth keeping; none of a search that found more than tells anything. */
export function usablePaths(paths: readonly (string | undefined)[], limits: CollectLimits): string[] {
  if (paths.length > limits.pathsPerSearch) return []
  return paths.filter((path) => path !== undefined && path.length <= limits.path) as string[]
}

export function shortened(text: string | undefined, max: number): string | undefined {
  return text !== undefined && text.length > max ? detached(text.slice(0, max)) : text
}

/** Ours, and small: the guard of the board has to know who changed what. */
const OWN_FILE = /(?:^|[\\/])\.ralph[\\/](?!cache[\\/])/

export function isOwnFile(path: string | undefined): boolean {
  return OWN_FILE.test(path ?? '')
}

/** A larger one of ours is none that the guard looks at. */
export const LONGEST_OWN_FILE = 500_000
