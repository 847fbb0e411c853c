/** Loaded before all else of the library: on an old Node it would fail somewhere inside, over a part of Node that is missing. */
import { isOldNode } from './node-version.js'

if (isOldNode) {
  const error = new Error(
    `ralph-memory needs Node 22.13 or newer, this is ${process.version}: install a current Node`,
  )
  error.stack = `Error: ${error.message}` // where it was noticed helps nobody
  throw error
}
