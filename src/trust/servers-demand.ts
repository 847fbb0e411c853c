import { type Demand, demand } from './demand.ts'

interface WithServers {
  name: string
  mcpServers: Readonly<Record<string, unknown>>
}

export function serverDemands(disciplines: readonly WithServers[]): Demand[] {
  return disciplines.flatMap((discipline) => serversDemand(discipline) ?? [])
}

/** The MCP servers of a discipline: the agent starts or connects to each of them. Undefined where there are none. */
export function serversDemand(discipline: WithServers): Demand | undefined {
  if (Object.keys(discipline.mcpServers).length === 0) return undefined
  return demand(
    `discipline ${discipline.name}`,
    'the agent starts or connects to these MCP servers in tasks of this discipline',
    { mcp_servers: discipline.mcpServers },
  )
}
