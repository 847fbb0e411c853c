#!/usr/bin/env node
import * as nodeModule from 'node:module' // by name it would fail on a Node too old to have it, before we can say so

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 13)) {
  if (process.argv[2] === 'hook') process.exit(0) // an agent's session is no place to complain
  console.error(`error: ralph needs Node 22.13 or newer, this is ${process.version}`)
  console.error('  → install a current Node, or run it with one: npx -p node@24 -p ralph-memory ralph')
  process.exit(1)
}
// Node 22 says so each time it loads SQLite; that is no news for whoever runs this.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest)
}
nodeModule.enableCompileCache()
const words = process.argv.slice(2)
if (words[0] === 'hook') {
  // An agent waits for its hooks at every step: they load only what they need.
  const { main } = await import('../dist/hook.js')
  await main(words.slice(1))
} else {
  const { main } = await import('../dist/cli.js')
  process.exitCode = await main(words)
}
