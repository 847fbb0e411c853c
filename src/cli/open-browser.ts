import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { messageOf, RalphError } from '../errors.ts'

/** What each system opens an address with. */
const OPENERS: Partial<Record<NodeJS.Platform, [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  // Not `start`, which is a word of a shell: an address can hold what a shell takes for its own.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Shows an address in the person's browser. Resolves once that is under way; what the browser says is its own affair. */
export async function openInBrowser(address: string, platform = process.platform): Promise<void> {
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address], { detached: true, stdio: 'ignore', windowsHide: true })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new RalphError('unavailable', `no browser could be opened (${messageOf(error)})`, {
      hint: 'Open the address above yourself.',
      cause: error,
    })
  }
  child.on('error', () => undefined) // it has started: there is nobody left to tell
  child.unref()
}
