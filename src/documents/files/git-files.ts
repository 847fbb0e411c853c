import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { throwIfAborted } from '../../errors.ts'
import { checkoutRoot } from '../../files/git-checkout.ts'
import { GIT_LOOKS_ONLY } from '../../files/git-words.ts'

const LIST = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']

/** Whether git can tell what of a folder is ignored: not for one that it ignores as a whole, nor where it refuses to look. */
export async function isListedByGit(folder: string): Promise<boolean> {
  if (checkoutRoot(folder) === undefined) return false
  if ((await exitCode(folder, ['rev-parse', '--is-inside-work-tree'])) !== 0) return false
  return (await exitCode(folder, ['check-ignore', '-q', '.'])) !== 0
}

/** Every file that git does not ignore, relative to the folder; one by one, however many there are. */
export async function* filesOfGit(folder: string, signal?: AbortSignal): AsyncGenerator<string> {
  const child = start(folder, LIST)
  const ended = once(child, 'close')
  ended.catch(() => undefined) // met below
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      throwIfAborted(signal)
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let to = text.indexOf(0); to !== -1; to = text.indexOf(0, from)) {
        yield text.toString('utf8', from, to)
        from = to + 1
      }
      rest = text.subarray(from)
    }
    await ended
  } finally {
    child.kill()
  }
}

async function exitCode(folder: string, words: readonly string[]): Promise<number | null> {
  const child = start(folder, words)
  child.stdout.resume()
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  } catch {
    return null // git is not installed
  }
}

function start(folder: string, words: readonly string[]) {
  return spawn('git', [...GIT_LOOKS_ONLY, ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  })
}
