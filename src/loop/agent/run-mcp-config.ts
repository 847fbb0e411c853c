import type { McpServer } from '../../board/discipline.ts'
import { fileError } from '../../errors.ts'
import { writeOwnFile } from '../../files/own-files.ts'
import { MCP_SERVER_NAME } from './command.ts'

/** The agent's MCP configuration for one run: our server, locked to the feature, and the discipline's own. */
export async function writeRunMcpConfig(
  path: string,
  server: object | undefined,
  others: Readonly<Record<string, McpServer>>,
): Promise<void> {
  const config = { mcpServers: { ...others, ...(server && { [MCP_SERVER_NAME]: server }) } }
  try {
    // Disciplines' servers may carry keys in their environment.
    writeOwnFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw fileError(error, path, 'writing the MCP configuration')
  }
}
