import { saidAtOnce } from './help/at-once.ts'

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(words: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0) // the reader (`| head`) has seen enough
    throw error
  })
  const text = saidAtOnce(words)
  if (text !== undefined) {
    process.stdout.write(text)
    return 0
  }
  const { runCommand } = await import('./program.ts')
  return runCommand(words)
}
