import { TestRunner } from 'vitest'

const onWindows = process.platform === 'win32'

/** What not every system has: why it is missing here, undefined where it is not. */
const MISSING = {
  signals: onWindows ? 'Windows has no signal that a program can answer' : undefined,
  environments:
    process.platform === 'linux' ? undefined : 'only Linux shows the environment of other processes',
  modes: onWindows ? 'files have no permission bits on Windows' : undefined,
}

/** For the body of a test: where something is missing it is skipped, and says why. */
export function needs(what: keyof typeof MISSING): void {
  skipBecause(MISSING[what])
}

export function skipBecause(reason: string | undefined): void {
  if (reason !== undefined) TestRunner.getCurrentTest()?.context.skip(reason)
}
