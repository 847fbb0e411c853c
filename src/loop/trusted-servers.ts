import type { Discipline, McpServer } from '../board/discipline.ts'
import { serversDemand } from '../trust/board-demands.ts'
import type { LoopParts } from './parts.ts'

/** The discipline's own MCP servers, if a person has trusted exactly these: the agent starts them. */
export function trustedServers(
  { settings, notices }: Pick<LoopParts, 'settings' | 'notices'>,
  discipline: Discipline | undefined,
): Record<string, McpServer> {
  const demand = discipline && serversDemand(discipline)
  if (!demand) return {}
  if (settings.isTrusted(demand)) return discipline.mcpServers
  notices.once({
    key: `trust of ${demand.name}`,
    message: `the MCP servers of ${demand.name} are not trusted: the agent runs without them`,
    hint: 'ralph trust',
  })
  return {}
}
