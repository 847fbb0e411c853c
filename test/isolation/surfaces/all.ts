import { commands } from './commands.ts'
import { conversations } from './conversations.ts'
import { crowd } from './crowd.ts'
import { dashboard } from './dashboard.ts'
import { hooks } from './hooks.ts'
import { library } from './library.ts'
import { lookup } from './lookup.ts'
import { mcp } from './mcp.ts'
import { moved } from './moved.ts'
import { processes } from './processes.ts'
import { prompt } from './prompt.ts'
import { recall } from './recall.ts'
import type { Surface } from './surface.ts'

/** In the order in which they are asked; what changes the world comes last. */
export const SURFACES: readonly Surface[] = [
  ...[library, conversations, recall, lookup, mcp, hooks, prompt, dashboard, commands, processes],
  ...[crowd, moved],
]
