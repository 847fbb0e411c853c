import { runHook } from './hook.ts'

/** `ralph hook [EVENT] [--agent NAME]` and `ralph hook background …`. Claude Code names the event in what it tells, too. */
export async function main(words: readonly string[]): Promise<void> {
  if (words[0] === 'background') {
    const { runBackground } = await import('./background.ts')
    return runBackground(words.slice(1))
  }
  const [event = '', flag, agent] = words
  return runHook(process.stdin, { event, agent: flag === '--agent' ? agent : undefined })
}
