import { type Demand, demand } from './demand.ts'

interface NamesAgent {
  agent?: string | undefined
}

interface WithServers extends NamesAgent {
  name: string
  mcpServers: Readonly<Record<string, unknown>>
}

/** Whatever the entries of a board would start. `ownAgent`: the loop's own, which a person has chosen. */
export function boardDemands(
  tasks: readonly NamesAgent[],
  disciplines: readonly WithServers[],
  ownAgent: string | undefined,
): Demand[] {
  const named = [...tasks, ...disciplines].flatMap(({ agent }) => agent ?? [])
  const agents = new Set(named.filter((agent) => agent !== ownAgent))
  return [
    ...disciplines.flatMap((discipline) => serversDemand(discipline) ?? []),
    ...[...agents].sort().map(agentDemand),
  ]
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

/** A program that the board names is started with the person's own login, at the person's cost. */
export function agentDemand(agent: string): Demand {
  return demand(`agent ${agent}`, 'the loop starts this agent for tasks and disciplines that name it', {
    agent,
  })
}
