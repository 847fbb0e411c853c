/** Programs that answer while they run. */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Longer takes no start of ours, on the slowest machine. */
const PATIENCE_MS = 60_000

const QUESTIONS = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'package', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]

/** What an MCP server says of itself, asked as an agent asks. */
export async function answersOf(server: ChildProcess): Promise<{ tools: string[] }> {
  for (const question of QUESTIONS) {
    server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...question })}\n`)
  }
  try {
    const { result } = await firstOf(server, (line) => {
      const answer = JSON.parse(line)
      return answer.id === 2 ? answer : undefined
    })
    return { tools: result.tools.map(({ name }: { name: string }) => name) }
  } finally {
    server.stdin!.end()
    server.kill()
  }
}

/** Where the dashboard listens, which it says first. */
export function addressOf(server: ChildProcess): Promise<string> {
  return firstOf(server, (line) => /"address": "([^"]+)"/.exec(line)?.[1])
}

/** As a browser does: the key in the address is changed for a cookie. */
export async function visited(address: string): Promise<Response> {
  const door = await fetch(address, { redirect: 'manual' })
  const cookie = door.headers.getSetCookie().map((one) => one.split(';')[0])
  return fetch(new URL(door.headers.get('location') ?? '/', address), {
    headers: { cookie: cookie.join('; ') },
  })
}

/** The first line that says what is looked for. */
async function firstOf<T>(program: ChildProcess, wanted: (line: string) => T | undefined): Promise<T> {
  const timer = setTimeout(() => program.kill(), PATIENCE_MS)
  try {
    for await (const line of createInterface({ input: program.stdout! })) {
      const found = wanted(line)
      if (found !== undefined) return found
    }
  } finally {
    clearTimeout(timer)
  }
  throw new Error('it ended, or said nothing for a minute')
}
