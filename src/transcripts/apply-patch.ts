import type { FileChange } from './agent-run.ts'

/** A line of a file in a patch begins with `+`, `-`, a space or `@@`: only the patch's own lines begin like this. */
const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): *(\S.*)/

/**
 * What a patch in the form of the `apply_patch` tool does to files, in its order, with the paths as it spells them. A file that
 * is moved is deleted in the old place and created in the new one. Whether the patch fitted, only its result tells.
 */
export function patchedFiles(patch: string): FileChange[] {
  const changes: FileChange[] = []
  for (const line of patch.split('\n')) {
    const [, verb, named] = HEADER.exec(line) ?? []
    if (verb === undefined || named === undefined) continue
    const path = named.trimEnd()
    if (verb === 'Add File') changes.push({ path, action: 'created' })
    else if (verb === 'Delete File') changes.push({ path, action: 'deleted' })
    else if (verb === 'Update File') changes.push({ path, action: 'modified' })
    else moveLast(changes, path)
  }
  return changes
}

function moveLast(changes: FileChange[], path: string): void {
  const from = changes.at(-1)
  if (from?.action !== 'modified' || from.path === path) return
  changes.splice(-1, 1, { path: from.path, action: 'deleted' }, { path, action: 'created' })
}
