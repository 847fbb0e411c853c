import { existsSync } from 'node:fs'
import { messageOf } from '../errors.ts'
import { isAbsolutePath } from '../files/project-path.ts'
import { asObject, asString, strings } from '../text/json.ts'
import { getIn } from '../text/jsonc-edit.ts'
import { MCP_CLIENT_NAMES, MCP_CLIENTS, type McpClient, type McpClientName } from './clients.ts'
import { type EditResult, withPlace } from './edited-file.ts'
import { editedMcpFile, mcpConfigFor, removeMcpConfig, SERVER_NAME, writeMcpConfig } from './mcp-config.ts'
import { tableValues } from './toml-edit.ts'

export interface McpPlace {
  project: string
  /** Our own folder. */
  home: string
  userHome: string
}

/** Our server in the file of one client, or why that file cannot be read. */
export interface InstalledServer {
  client: McpClientName
  label: string
  file: string
  /** What starts it: the program and its arguments; empty where the file cannot be read. */
  words: string[]
  /** Its tools are used without asking. */
  trusted?: boolean
  /** Files it names that are not there (any more). */
  missing: string[]
  problem?: string
}

/** Of every client that has a file here: our server in it. */
export async function installedServers(place: McpPlace): Promise<InstalledServer[]> {
  const found = await Promise.all(MCP_CLIENT_NAMES.map((client) => installedServer(client, place)))
  return found.filter((server) => server !== undefined)
}

/**
 * Servers of ours where an earlier version put them, for all projects of the user: they name one project, and the agent gets
 * its memory in every other one.
 */
export async function formerServers(place: McpPlace): Promise<InstalledServer[]> {
  const found = await Promise.all(
    MCP_CLIENT_NAMES.map((client) => {
      const { formerly }: McpClient = MCP_CLIENTS[client]
      return formerly && installedServer(client, place, formerly(place))
    }),
  )
  return found.filter((server) => server !== undefined).filter(isOurs)
}

/** Takes such a server out. */
export function removeFormer({ client, file }: InstalledServer, place: McpPlace): Promise<EditResult> {
  return removeMcpConfig({ ...mcpConfigFor({ client, ...place }), file }, place.home)
}

/** What somebody else calls by our name is none of ours. */
function isOurs({ words }: InstalledServer): boolean {
  const at = words.findIndex((word) => /(?:^|[\\/])ralph(?:\.m?js|\.cmd)?$|^ralph-memory$/.test(word))
  return at >= 0 && words[at + 1] === 'mcp' && words.some((word) => word.startsWith('--project='))
}

async function installedServer(
  client: McpClientName,
  place: McpPlace,
  elsewhere?: string,
): Promise<InstalledServer | undefined> {
  const { label, file: fileOf }: McpClient = MCP_CLIENTS[client]
  const file = elsewhere ?? fileOf(place)
  const about = { client, label, file }
  try {
    const text = existsSync(file)
      ? await editedMcpFile({ file, project: place.project }, place.home).read()
      : undefined
    const words = text === undefined ? undefined : withPlace(file, () => wordsIn(text, MCP_CLIENTS[client]))
    if (words === undefined) return undefined
    const paths = words.filter((word) => isAbsolutePath(word))
    return {
      ...about,
      words,
      trusted: trusts(text!, MCP_CLIENTS[client]),
      missing: paths.filter((path) => !existsSync(path)),
    }
  } catch (error) {
    return { ...about, words: [], missing: [], problem: messageOf(error) }
  }
}

function wordsIn(text: string, { format, servers }: McpClient): string[] | undefined {
  const found =
    format === 'toml' ? tableValues(text, [servers[0]!, SERVER_NAME]) : getIn(text, [...servers, SERVER_NAME])
  const entry = asObject(found)
  if (!entry) return undefined
  const { command, args } = entry
  return [asString(command) ?? strings(command), strings(args)].flat()
}

function trusts(text: string, { format, servers, trust = false }: McpClient): boolean {
  return trust && format === 'json' && getIn(text, [...servers, SERVER_NAME, 'trust']) === true
}

/** The same server again, as this very installation starts it. */
export async function renewServer(
  { client, words, trusted }: InstalledServer,
  place: McpPlace,
): Promise<void> {
  const flagValue = (flag: string) =>
    words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1)
  const wanted = mcpConfigFor({
    client,
    userHome: place.userHome,
    project: flagValue('--project') ?? place.project,
    feature: flagValue('--feature'),
    readOnly: words.includes('--read-only'),
    trust: trusted,
  })
  await writeMcpConfig(wanted, place.home)
}
