/** Programs that show what others wrote: words of failure in it are not about them. */
const SHOWING = new Set([
  ...['cat', 'head', 'tail', 'less', 'grep', 'rg', 'sed', 'awk', 'jq', 'wc', 'sort', 'uniq', 'cut', 'tee'],
  ...['ls', 'find', 'tree', 'diff', 'curl', 'nl', 'xxd', 'type', 'column'],
  ...['git log', 'git show', 'git diff', 'git grep', 'git blame', 'git status'],
])
/** They succeed whatever went before. */
const ALWAYS = new Set(['true', ':', 'echo', 'printf'])

/**
 * By which rule a command line succeeds, roughly: `never` where it says at its end that it fails, `always` where its last command
 * cannot fail, `showing` where all that counts is a program that only shows something, else by what was done.
 */
export function whatSucceeds(command: string): 'never' | 'always' | 'showing' | 'doing' {
  const last = command.split(/[;\n]/).findLast((part) => part.trim() !== '') ?? ''
  if (/^\s*exit [1-9]\d{0,2}\s*$/.test(last)) return 'never'
  const alternative = last.split('||').at(-1)!
  if (last.includes('||') && ALWAYS.has(programOf(alternative))) return 'always'
  // Of a pipe the last program's success counts, of a chain each one's.
  const counting = last.split('&&').map((part) => programOf(part.split('|').at(-1)!))
  if (counting.every((program) => ALWAYS.has(program))) return 'always'
  return counting.every((program) => SHOWING.has(program) || ALWAYS.has(program) || program === 'cd')
    ? 'showing'
    : 'doing'
}

/** The program that a simple command runs; of git, with what it is to do. */
function programOf(command: string): string {
  const words = command.trim().split(/\s+/)
  const at = words.findIndex((word) => !/^\w+=/.test(word))
  return words[at] === 'git' ? `git ${words[at + 1]}` : (words[at] ?? '')
}

/** Whether a line is how the program of a command complains: `ls: cannot access …`, `curl: (7) …`. */
export function isComplaint(line: string, command: string): boolean {
  const [program = ''] = command.trim().split(/\s/, 1)
  return line.startsWith(program === 'git' ? 'fatal: ' : `${program}: `)
}
