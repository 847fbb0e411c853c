/** What of ours is in the settings of other programs, for whoever only looks. */
export { isPluginEnabled } from './claude-plugin.ts'
export { type HooksState, hooksStates } from './hooks-state.ts'
export {
  formerServers,
  type InstalledServer,
  installedServers,
  removeFormer,
  renewServer,
} from './mcp-installed.ts'
