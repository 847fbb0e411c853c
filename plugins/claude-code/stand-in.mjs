/** In place of ralph where it cannot run. Plain and old JavaScript: the Node that reads it may be the reason. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const OLD_NODE = {
  message: `ralph needs Node 22.13 or newer, this is ${process.version}`,
  hint: 'install a current Node, or run it with one: npx -p node@24 -p ralph-memory ralph',
}
export const NOT_INSTALLED = { message: 'ralph is not installed', hint: 'npm install --global ralph-memory' }

/**
 * For hooks: the person is told when a session begins, and only then. Whatever else goes wrong with hooks is no reason to
 * disturb a session at every step.
 */
export function sayToSession(trouble, event) {
  if (event !== 'SessionStart' || !isBeginning()) return
  process.stdout.write(JSON.stringify({ systemMessage: offBecause(trouble) }))
}

function offBecause({ message, hint }) {
  return `Ralph Memory is off in this session: ${message} → ${hint}`
}

/** Cleared or compacted it is still the same session. */
function isBeginning() {
  try {
    return !['clear', 'compact'].includes(JSON.parse(readFileSync(0, 'utf8')).source)
  } catch {
    return true
  }
}

export function sayToPerson({ message, hint }) {
  console.error(`error: ${message}`)
  console.error(`  → ${hint}`)
  process.exitCode = 1
}

const METHOD_NOT_FOUND = -32601

const ANSWERS = {
  initialize: ({ protocolVersion }, instructions) => ({
    protocolVersion,
    ...(instructions && { instructions }),
    capabilities: { tools: {} },
    serverInfo: { name: 'ralph-memory', version: '0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [] }),
  'tools/call': () => ({ content: [] }),
}

/**
 * A server that offers nothing, until the client goes away. Without any, every hook that it should answer would show as an
 * error, at every step of a session. `trouble`: where no hook tells the person, the model is asked to.
 */
export async function serveNothing(trouble) {
  const instructions = trouble && `${offBecause(trouble)}. Tell the user so once.`
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = parsed(line)
    if (id === undefined || method === undefined) continue
    const answer = Object.hasOwn(ANSWERS, method)
      ? { result: ANSWERS[method](params ?? {}, instructions) }
      : { error: { code: METHOD_NOT_FOUND, message: `there is no ${method}` } }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
  }
}

function parsed(line) {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}
