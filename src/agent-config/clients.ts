import { join } from 'node:path'

/** How the server is started, whoever starts it. */
export interface ServerCommand {
  command: string
  args: string[]
}

/** Where one kind of agent looks for MCP servers, and in which form. Limits and spellings are data, not code. */
export interface McpClient {
  label: string
  format: 'json' | 'toml'
  /** `project`: the file lies in the project and may be committed. `user`: it holds for all projects of the user. */
  scope: 'project' | 'user'
  file: (places: { project: string; userHome: string }) => string
  /** How one tells that it is installed: a program on the search path, or what it leaves in the user's folder. */
  programs: readonly string[]
  traces: readonly string[]
  /** The keys that lead to the map of servers. */
  servers: readonly string[]
  entry: (server: ServerCommand) => object
  /** Has a switch by which the tools are used without asking each time, and are there at all in runs that nobody watches. */
  trust?: boolean
  /** Others keep things in the file's folder, too: that it is there tells nothing. */
  folderOfOthers?: boolean
  /** Where an earlier version kept the server, for all projects of the user. */
  formerly?: (places: { userHome: string }) => string
  /** What is left for the person to do. */
  remains?: (trusted: boolean) => string
}

const plain = ({ command, args }: ServerCommand) => ({ command, args })
const inProject = (...path: string[]) =>
  ({
    scope: 'project',
    file: ({ project }: { project: string }) => join(project, ...path),
  }) as const
const inHome = (...path: string[]) =>
  ({
    scope: 'user',
    file: ({ userHome }: { userHome: string }) => join(userHome, ...path),
  }) as const

const CLIENTS = {
  'claude-code': {
    label: 'Claude Code',
    format: 'json',
    ...inProject('.mcp.json'),
    programs: ['claude'],
    traces: ['.claude'],
    servers: ['mcpServers'],
    // Without alwaysLoad the tools hide behind a tool search, and an agent that does not know them never looks.
    entry: (server) => ({ type: 'stdio', ...plain(server), alwaysLoad: true }),
  },
  'claude-desktop': {
    label: 'Claude Desktop',
    format: 'json',
    ...inHome(...claudeDesktopFolder(process.platform), 'claude_desktop_config.json'),
    programs: [],
    traces: [join(...claudeDesktopFolder(process.platform))],
    servers: ['mcpServers'],
    entry: plain,
  },
  cursor: {
    label: 'Cursor',
    format: 'json',
    ...inProject('.cursor', 'mcp.json'),
    programs: ['cursor', 'cursor-agent'],
    traces: ['.cursor'],
    servers: ['mcpServers'],
    entry: plain,
  },
  vscode: {
    label: 'VS Code',
    format: 'json',
    ...inProject('.vscode', 'mcp.json'),
    programs: ['code'],
    traces: ['.vscode'],
    servers: ['servers'],
    entry: (server) => ({ type: 'stdio', ...plain(server) }),
  },
  codex: {
    label: 'Codex',
    format: 'toml',
    ...inProject('.codex', 'config.toml'),
    programs: ['codex'],
    traces: ['.codex'],
    servers: ['mcp_servers'],
    entry: plain,
  },
  gemini: {
    label: 'Gemini CLI',
    format: 'json',
    ...inProject('.gemini', 'settings.json'),
    programs: ['gemini'],
    traces: ['.gemini'],
    servers: ['mcpServers'],
    entry: plain,
    trust: true,
    remains: (trusted) =>
      `Gemini CLI starts servers only in a trusted folder: start gemini here and trust it when it asks.${trusted ? '' : ' Runs that nobody watches (gemini -p) have the tools only with --yolo, or where the entry says "trust": true (--trust).'}`,
  },
  qwen: {
    label: 'Qwen Code',
    format: 'json',
    ...inProject('.qwen', 'settings.json'),
    programs: ['qwen'],
    traces: ['.qwen'],
    servers: ['mcpServers'],
    entry: plain,
    trust: true,
    remains: () =>
      'Qwen Code starts a server of the project when you have approved it: start qwen here, then /mcp (a run with --yolo asks nobody).',
  },
  windsurf: {
    label: 'Windsurf',
    format: 'json',
    ...inHome('.codeium', 'windsurf', 'mcp_config.json'),
    programs: ['windsurf'],
    traces: [join('.codeium', 'windsurf')],
    servers: ['mcpServers'],
    entry: plain,
  },
  zed: {
    label: 'Zed',
    format: 'json',
    ...inProject('.zed', 'settings.json'),
    programs: ['zed', 'zeditor'],
    traces: [join('.config', 'zed')],
    servers: ['context_servers'],
    entry: (server) => ({ source: 'custom', ...plain(server) }),
  },
  opencode: {
    label: 'opencode',
    format: 'json',
    ...inProject('opencode.json'),
    programs: ['opencode'],
    traces: [join('.config', 'opencode')],
    servers: ['mcp'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
  },
  'copilot-cli': {
    label: 'GitHub Copilot CLI',
    format: 'json',
    ...inProject('.github', 'mcp.json'),
    programs: ['copilot'],
    traces: ['.copilot'],
    servers: ['mcpServers'],
    entry: (server) => ({ type: 'local', ...plain(server), tools: ['*'] }),
    folderOfOthers: true,
    // It named one project, and every other one got that memory.
    formerly: ({ userHome }) => join(userHome, '.copilot', 'mcp-config.json'),
    remains: () =>
      'Copilot starts servers of a project only in a trusted folder, and says nothing where it does not: start copilot here and trust it when it asks (for one run: copilot -p … --trust-folder).',
  },
} as const satisfies Record<string, McpClient>

export type McpClientName = keyof typeof CLIENTS
export const MCP_CLIENTS: Readonly<Record<McpClientName, McpClient>> = CLIENTS
export const MCP_CLIENT_NAMES = Object.keys(CLIENTS) as McpClientName[]

function claudeDesktopFolder(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['Library', 'Application Support', 'Claude']
  if (platform === 'win32') return ['AppData', 'Roaming', 'Claude']
  return ['.config', 'Claude']
}
