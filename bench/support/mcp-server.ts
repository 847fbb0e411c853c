import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface McpServer {
  pid: number
  /** The text of the tool's answer. */
  call(tool: string, input: object): Promise<string>
  close(): Promise<void>
}

interface Answer {
  id?: number
  error?: { message: string }
  result?: { isError?: boolean; content?: { text: string }[] }
}

/** Starts a server that speaks MCP over its standard input and output, and shakes hands. */
export async function startMcpServer(args: readonly string[], env: NodeJS.ProcessEnv): Promise<McpServer> {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let sent = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.resolve(answer)
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${args[0]} ended with exit code ${code}`))
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = async (method: string, params: object): Promise<Answer> => {
    const id = ++sent
    const answer = Promise.withResolvers<Answer>()
    waiting.set(id, answer)
    send({ id, method, params })
    const got = await answer.promise
    waiting.delete(id)
    const text = got.error?.message ?? (got.result?.isError ? got.result.content?.[0]?.text : undefined)
    if (text !== undefined) throw new Error(`${method}: ${text.slice(0, 300)}`)
    return got
  }
  const clientInfo = { name: 'bench', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    pid: child.pid!,
    call: async (name, input) => {
      const { result } = await request('tools/call', { name, arguments: input })
      return result?.content?.[0]?.text ?? ''
    },
    close: async () => {
      child.stdin.end()
      child.kill()
      await ended
    },
  }
}
