import { startMcpServer } from './mcp-server.ts'
import { processorTime, residentMegabytes } from './process-costs.ts'
import type { Taken } from './rounds.ts'

export interface Served extends Taken {
  /** Of the whole process at the first answer. */
  residentMb: number
}

/** Starts a server, shakes hands, calls one tool: from starting the process to the first answer of a tool. */
export async function firstMcpAnswer(
  args: readonly string[],
  tool: string,
  { env = process.env, input = {} }: { env?: NodeJS.ProcessEnv; input?: object } = {},
): Promise<Served> {
  const start = performance.now()
  const server = await startMcpServer(args, env)
  await server.call(tool, input)
  const wall = performance.now() - start
  const [residentMb, cpu] = [residentMegabytes(server.pid), processorTime(server.pid)]
  await server.close()
  return { wall, cpu, residentMb }
}
