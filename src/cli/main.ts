import { version } from '../version.ts'

/** Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(words: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0) // the reader (`| head`) has seen enough
    throw error
  })
  // Asked by scripts before anything else: no reason to load anything for it.
  if (words.length === 1 && ['--version', '-V'].includes(words[0]!)) {
    process.stdout.write(`${version}\n`)
    return 0
  }
  const { runCommand } = await import('./program.ts')
  return runCommand(words)
}
