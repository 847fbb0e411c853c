#!/usr/bin/env node
import * as nodeModule from 'node:module' // by name it would fail on a Node too old to have it, before we can say so
import { isOldNode } from './node-version.js'

const words = process.argv.slice(2)
// Events have capitals, whoever names them; `ralph hook install` is a person who means `ralph hooks install`.
const isHook =
  words[0] === 'hook' && (words.length > 1 ? /[A-Z]|^background$/.test(words[1]) : !process.stdin.isTTY)
if (isOldNode) {
  const { OLD_NODE, sayToPerson, sayToSession, serveNothing } = await import(
    '../plugins/claude-code/stand-in.mjs'
  )
  if (isHook) sayToSession(OLD_NODE, words[1])
  else sayToPerson(OLD_NODE)
  // Claude Code asks our server for its hooks too, and shows an error for each that nobody answers.
  if (words[0] === 'mcp' && words[1] !== 'config' && process.env.CLAUDECODE) await serveNothing(OLD_NODE)
  process.exit()
}
// Node 22 says so each time it loads SQLite; that is no news for whoever runs this.
const { emitWarning } = process
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning(warning, ...rest)
}
nodeModule.enableCompileCache()
if (isHook) {
  // An agent waits for its hooks at every step: they load only what they need.
  const { main } = await import('../dist/hook.js')
  await main(words.slice(1))
} else {
  const { main } = await import('../dist/cli.js')
  process.exitCode = await main(words)
}
