#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 13)) {
  console.error(`error: ralph needs Node 22.13 or newer, this is ${process.version}`)
  console.error('  → install a current Node, or run it with one: npx -p node@24 -p ralph-memory ralph')
  process.exit(1)
}
enableCompileCache()
const { main } = await import('../dist/cli.js')
process.exitCode = await main(process.argv.slice(2))
