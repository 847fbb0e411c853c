import { isObject } from '../text/json.ts'
import { preprocess, z } from '../text/schema.ts'
import type { AgentName } from '../transcripts/agents.ts'
import type { EntryKind } from './entry-kind.ts'
import { agentName, listOf, mapping, requiredText, text } from './fields.ts'

const DISCIPLINE_CAPS = {
  systemPrompt: 6_000,
  conventions: 4_000,
  skill: 300,
  skills: 30,
  mcpServers: 20,
} as const

/** As in an MCP client's configuration; other settings pass through. */
const McpServer = z
  .looseObject(
    { command: z.optional(z.string()), url: z.optional(z.string()) },
    { error: 'must be a mapping' },
  )
  .check(
    z.refine((server) => server.command !== undefined || server.url !== undefined, {
      error: 'must have "command" or "url"',
    }),
  )
export type McpServer = z.infer<typeof McpServer>

/** People write servers as a mapping by name or as a list with names. */
const mcpServers = preprocess(
  (value) =>
    Array.isArray(value) && value.every((item) => isObject(item) && typeof item.name === 'string')
      ? Object.fromEntries(value.map(({ name, ...server }) => [name, server]))
      : value,
  z._default(
    z.record(z.string(), McpServer, { error: 'must be a mapping of names to servers' }).check(
      z.refine((servers) => Object.keys(servers).length <= DISCIPLINE_CAPS.mcpServers, {
        error: `has more than ${DISCIPLINE_CAPS.mcpServers} servers`,
      }),
    ),
    {},
  ),
)

const OnDisk = mapping({
  name: requiredText(100),
  display_name: z.optional(text(200)),
  system_prompt: z.optional(text(DISCIPLINE_CAPS.systemPrompt)),
  skills: listOf(text(DISCIPLINE_CAPS.skill), DISCIPLINE_CAPS.skills),
  conventions: preprocess(
    (value) => (Array.isArray(value) ? value.map((line) => `- ${line}`).join('\n') : value),
    z.optional(text(DISCIPLINE_CAPS.conventions)),
  ),
  agent: z.optional(agentName),
  mcp_servers: mcpServers,
})

/** HOW something is built: frontend, backend… */
export interface Discipline {
  name: string
  displayName?: string | undefined
  systemPrompt?: string | undefined
  skills: string[]
  conventions?: string | undefined
  /** Who works on its tasks in the loop, unless a task says otherwise. */
  agent?: AgentName | undefined
  mcpServers: Record<string, McpServer>
}

export type DisciplinePatch = {
  [Field in Exclude<keyof Discipline, 'name'>]?: Discipline[Field] | null | undefined
}
export type NewDiscipline = DisciplinePatch & { name: string }

export const DISCIPLINES: EntryKind<Discipline> = {
  file: 'disciplines.yaml',
  rootKey: 'disciplines',
  noun: 'discipline',
  identity: 'name',
  fields: {
    name: 'name',
    displayName: 'display_name',
    systemPrompt: 'system_prompt',
    skills: 'skills',
    conventions: 'conventions',
    agent: 'agent',
    mcpServers: 'mcp_servers',
  },
  settings: ['mcpServers'],
  schema: z.pipe(
    OnDisk,
    z.transform(
      (raw): Discipline => ({
        name: raw.name,
        displayName: raw.display_name,
        systemPrompt: raw.system_prompt,
        skills: raw.skills,
        conventions: raw.conventions,
        agent: raw.agent,
        mcpServers: raw.mcp_servers,
      }),
    ),
  ),
}
