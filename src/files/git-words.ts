/** However a repository says that it is fetched from: what it names for that would be started. */
const PROTOCOLS = ['', 'file.', 'ssh.', 'git.', 'http.', 'https.', 'ext.']

/**
 * How git is asked anything, before the words of the question. A repository's own settings name programs that git starts
 * while it only looks: a watcher of files, hooks, checkers of signatures, ways to fetch what is missing. Whoever may edit
 * the project may write them, and they would run as the person. Nor is a folder that only looks like a repository taken for one.
 */
export const GIT_LOOKS_ONLY: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'log.showSignature=false'],
  ...['-c', 'safe.bareRepository=explicit'],
  ...PROTOCOLS.flatMap((protocol) => ['-c', `protocol.${protocol}allow=never`]),
]

/** For `diff` and `show`, behind the command: no programs for looking at changes. */
export const GIT_SHOWS_AS_IT_IS: readonly string[] = ['--no-ext-diff', '--no-textconv', '--no-color']

/** Lists the filters of files that any settings name, with whose settings they are. */
export const GIT_FILTERS: readonly string[] = [
  ...['config', '-z', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'],
]

/** With these words before the question, the filters of that list that the repository itself brings do nothing; a person's own stay. */
export function withoutFiltersOfRepository(listing: string): string[] {
  const words = listing.split('\0')
  const names = words.filter((_, at) => at % 2 === 1 && /^(?:local|worktree)$/.test(words[at - 1]!))
  // There its name would end, and the filter with the whole name would be left.
  if (names.some((name) => name.includes('='))) throw new Error('a filter that cannot be switched off')
  return names.flatMap((name) => ['-c', name.endsWith('.required') ? `${name}=false` : `${name}=`])
}
