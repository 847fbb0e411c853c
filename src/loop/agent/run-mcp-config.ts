import { fileError } from '../../errors.ts'
import { writeOwnFile } from '../../files/own-files.ts'
import type { AgentProgram, Servers } from './programs/program.ts'

/** The agent's MCP configuration for one run: our server, locked to the feature, and the discipline's own. */
export async function writeRunMcpConfig(
  path: string,
  servers: Servers,
  program: AgentProgram | undefined,
): Promise<void> {
  const config = program?.mcpFile?.(servers) ?? { mcpServers: servers }
  try {
    // Disciplines' servers may carry keys in their environment.
    writeOwnFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 })
  } catch (error) {
    throw fileError(error, path, 'writing the MCP configuration')
  }
}
