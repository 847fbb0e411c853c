/** What of ours is in the settings of other programs, for whoever only looks. */
export { isPluginEnabled } from './claude-plugin.ts'
export { type HooksState, hooksState } from './hooks-state.ts'
export { type InstalledServer, installedServers, renewServer } from './mcp-installed.ts'
