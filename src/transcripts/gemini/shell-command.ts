/** Programs that show what others wrote: words of failure in it are not about them. */
const SHOWING = new Set([
  ...['cat', 'head', 'tail', 'less', 'grep', 'rg', 'sed', 'awk', 'jq', 'wc', 'sort', 'uniq', 'cut', 'tee'],
  ...['ls', 'find', 'tree', 'diff', 'git', 'gh', 'curl', 'nl', 'xxd', 'type', 'column'],
])
/** They succeed whatever went before. */
const ALWAYS = new Set(['true', ':', 'echo', 'printf'])

/**
 * By which rule a command line succeeds, roughly: `always` where its last command cannot fail, `showing` where all that counts
 * is a program that only shows something, else by what was done.
 */
export function whatSucceeds(command: string): 'always' | 'showing' | 'doing' {
  const last = command.split(/[;\n]/).findLast((part) => part.trim() !== '') ?? ''
  const alternative = last.split('||').at(-1)!
  if (last.includes('||') && ALWAYS.has(programOf(alternative))) return 'always'
  // Of a pipe the last program's success counts, of a chain each one's.
  const counting = last.split('&&').map((part) => programOf(part.split('|').at(-1)!))
  if (counting.every((program) => ALWAYS.has(program))) return 'always'
  return counting.every((program) => SHOWING.has(program) || ALWAYS.has(program) || program === 'cd')
    ? 'showing'
    : 'doing'
}

/** The name of the program that a simple command runs. */
function programOf(command: string): string {
  return (
    command
      .trim()
      .split(/\s+/)
      .find((word) => !/^\w+=/.test(word)) ?? ''
  )
}
