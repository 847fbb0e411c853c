/**
 * Starts the installed `ralph` in this very process: a second one would double the time a hook takes. Looks beside this
 * folder (the plugin as part of the package), then on the search path. Where there is none, or Node is too old, the user is
 * told so when a session starts, and the session goes on without.
 */
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const [what, event] = process.argv.slice(2)
const [major, minor] = process.versions.node.split('.').map(Number)
const isOld = major < 22 || (major === 22 && minor < 13)
const program = findRalph()

if (program && !isOld) {
  await import(pathToFileURL(program).href)
} else {
  const standIn = await import('./stand-in.mjs')
  const trouble = isOld ? standIn.OLD_NODE : standIn.NOT_INSTALLED
  if (what === 'hook') standIn.sayToSession(trouble, event)
  else standIn.sayToPerson(trouble)
  if (what === 'mcp') await standIn.serveNothing()
}

function findRalph() {
  const beside = join(here, '..', '..', 'bin', 'ralph.js')
  if (existsSync(beside)) return beside
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    // npm links the program on most systems, and puts a script beside the package on Windows.
    for (const name of ['ralph', join('node_modules', 'ralph-memory', 'bin', 'ralph.js')]) {
      const path = join(folder, name)
      if (!existsSync(path)) continue
      const real = realpathSync(path)
      if (real.endsWith('.js')) return real
    }
  }
  return undefined
}
