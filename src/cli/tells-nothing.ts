import type { Command } from 'commander'

/**
 * Commands that hand out nothing of memory: they work in a run that goes without it, too. What an agent writes down is kept, and the board,
 * which every prompt tells of, is its to read. Whatever is not named here is silent in such a run, so that a new command tells it nothing by
 * mistake. A name alone stands for all commands of its group.
 */
const TELL_NOTHING: ReadonlySet<string> = new Set([
  // The board, but for `feature show`: what was learned is kept with the feature.
  ...['task', 'discipline', 'gate'],
  ...['feature add', 'feature list', 'feature set', 'feature remove', 'feature use'],
  // Writing, and care that shows no more than what it is given.
  ...['memory record', 'memory import', 'memory verify', 'memory rebuild', 'memory forget'],
  ...['learnings add', 'knowledge capture', 'knowledge import', 'knowledge checkpoint'],
  ...['knowledge verify', 'knowledge forget', 'knowledge statistics', 'knowledge prune'],
  ...['conversations import', 'conversations forget', 'conversations tag add', 'conversations tag remove'],
  ...['conversations share', 'conversations unshare', 'documents add', 'documents sync', 'documents remove'],
  ...['sync', 'undo'],
  // Counts, settings and what memory stands on.
  ...['effect', 'doctor', 'config', 'trust', 'migrate', 'init', 'uninstall', 'hooks', 'mcp', 'project'],
  ...['user', 'workers', 'spend', 'embeddings', 'rag status', 'rag on', 'rag off', 'rag config', 'rag set'],
  ...['rag upvote', 'rag downvote', 'summarizer status', 'summarizer on', 'summarizer off'],
  // It has runs of its own, and draws for them.
  'loop',
])

/** Whether the command works in a run without memory. */
export function tellsNothing(command: Command): boolean {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name())
  return names.some((_, count) => TELL_NOTHING.has(names.slice(0, count + 1).join(' ')))
}
