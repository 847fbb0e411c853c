import { join } from 'node:path'
import { getIn, removeAt, setIn } from '../text/jsonc-edit.ts'
import { MCP_CLIENTS, type McpClient, type McpClientName, type ServerCommand } from './clients.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { type PortableWay, portableCommandLine, ralphCommandLine } from './ralph-command.ts'
import { removeTable, setTable, tableText } from './toml-edit.ts'

/** Under which name agents see our server; it becomes part of every tool's name. */
export const SERVER_NAME = 'ralph'

export interface McpConfigRequest {
  client: McpClientName
  project: string
  userHome: string
  /** Locks the server to one feature. */
  feature?: string | undefined
  /** Which run of the agent the server's receipts belong to. */
  run?: string | undefined
  /** For the agent of a review iteration: it may mark learnings as reviewed. */
  reviewer?: boolean | undefined
  /** For an agent that may change nothing. */
  readOnly?: boolean | undefined
  /** Where the client has such a switch: the tools may be used without asking each time. */
  trust?: boolean | undefined
  /** No paths of this machine, for files that are committed; `true` is `ralph` from the search path. */
  portable?: boolean | PortableWay | undefined
}

export interface McpConfig {
  client: McpClientName
  project: string
  label: string
  file: string
  format: McpClient['format']
  servers: readonly string[]
  entry: object
  /** What a file with nothing but our server looks like. */
  text: string
}

/** Our server in the form that one client wants. Writes nothing. */
export function mcpConfigFor(request: McpConfigRequest): McpConfig {
  const { client, project, userHome } = request
  const { label, file, format, servers, entry, trust }: McpClient = MCP_CLIENTS[client]
  const shaped = { ...entry(serverCommand(request)), ...(trust && request.trust && { trust: true }) }
  return {
    client,
    project,
    label,
    file: file({ project, userHome }),
    format,
    servers,
    entry: shaped,
    text: withServer('', { format, servers, entry: shaped }),
  }
}

function serverCommand(request: McpConfigRequest): ServerCommand {
  const { project, feature, run, reviewer, readOnly, portable } = request
  const args = [
    'mcp',
    ...(portable ? [] : [`--project=${project}`]),
    ...(feature === undefined ? [] : [`--feature=${feature}`]),
    ...(run === undefined ? [] : [`--run=${run}`]),
    ...(reviewer ? ['--reviewer'] : []),
    ...(readOnly ? ['--read-only'] : []),
  ]
  if (!portable) return ralphCommandLine(args)
  return portableCommandLine(args, portable === true ? 'ralph' : portable)
}

/** What the client's file has under our name. Throws, as writing would, where the file cannot be edited. */
export async function writtenServer(config: McpConfig, home: string): Promise<string | undefined> {
  const text = await editedMcpFile(config, home).read()
  if (text === undefined) return undefined
  return withPlace(config.file, () => {
    withServer(text, config)
    const { format, servers } = config
    const found =
      format === 'toml' ? tableText(text, [servers[0]!, SERVER_NAME]) : getIn(text, [...servers, SERVER_NAME])
    return found === undefined || typeof found === 'string' ? found : JSON.stringify(found)
  })
}

/** Merges our server into the client's own file; everything else in it, comments and spacing included, stays. */
export function writeMcpConfig(config: McpConfig, home: string): Promise<EditResult> {
  return editedMcpFile(config, home).edit((text) => withServer(text, config))
}

/** The opposite: the file is as it was before, or without our lines if somebody edited it since. */
export function removeMcpConfig(config: McpConfig, home: string): Promise<EditResult> {
  return editedMcpFile(config, home).undo((text) => withoutServer(text, config))
}

export function editedMcpFile(config: Pick<McpConfig, 'file' | 'project'>, home: string): EditedFile {
  const undoDir = join(home, 'undo')
  return new EditedFile({ path: config.file, project: config.project, undoDir, part: 'mcp' })
}

type Shape = Pick<McpConfig, 'format' | 'servers' | 'entry'>

function withServer(text: string, { format, servers, entry }: Shape): string {
  if (format === 'toml') return setTable(text, [servers[0]!, SERVER_NAME], entry)
  return setIn(text, [...servers, SERVER_NAME], entry)
}

function withoutServer(text: string, { format, servers }: Shape): string {
  if (format === 'toml') return removeTable(text, [servers[0]!, SERVER_NAME])
  if (getIn(text, [...servers, SERVER_NAME]) === undefined) return text
  return removeAt(text, [...servers, SERVER_NAME])
}
