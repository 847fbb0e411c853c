import { runHook } from './hook.ts'

/** `ralph hook [EVENT]` and `ralph hook background …`. What is done is said by the event in the input. */
export async function main(words: readonly string[]): Promise<void> {
  if (words[0] === 'background') {
    const { runBackground } = await import('./background.ts')
    return runBackground(words.slice(1))
  }
  return runHook(process.stdin, words[0] ?? '')
}
