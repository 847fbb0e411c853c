import type { Command } from 'commander'
import { COMMAND_GROUPS } from '../conversation-commands/command-groups.ts'

export interface CommandEntry {
  /** As the help shows it; the first word is its name. */
  usage: string
  description: string
  /** What adds the rest to it: loaded only for the command that is called. */
  load: () => Promise<{ register: (command: Command) => void }>
}

/** Every command of `ralph`, in the order of the help, which needs nothing else. */
export const COMMAND_TABLE: readonly CommandEntry[] = [
  {
    usage: 'init [options]',
    description: 'set up .ralph/ in this project',
    load: () => import('./commands/init.ts'),
  },
  {
    usage: 'status [options]',
    description: 'one line on memory, then counts and sizes',
    load: () => import('./commands/status.ts'),
  },
  {
    usage: 'doctor [options]',
    description: 'check everything memory stands on and say how to mend it; exits 1 on a problem',
    load: () => import('./commands/doctor.ts'),
  },
  {
    usage: 'config',
    description: 'every setting with where it comes from: list, get, set, unset',
    load: () => import('./commands/config.ts'),
  },
  {
    usage: 'trust [options]',
    description:
      "show what this project's settings would execute, send or connect to, and ask whether they may",
    load: () => import('./commands/trust.ts'),
  },
  {
    usage: 'project',
    description: 'which project this is, wherever it lies',
    load: () => import('./commands/project.ts'),
  },
  {
    usage: 'loop [options]',
    description: 'run a coding agent over the tasks; every iteration knows what the earlier ones learned',
    load: () => import('./commands/loop.ts'),
  },
  {
    usage: 'prompt [options] <task>',
    description: 'the prompt a task would get now: what is in it, at what cost, and what was left out',
    load: () => import('./commands/prompt.ts'),
  },
  {
    usage: 'feature',
    description: 'what is built: the named areas of the project',
    load: () => import('./commands/feature.ts'),
  },
  {
    usage: 'task',
    description: 'what is to be done, one piece at a time',
    load: () => import('./commands/task.ts'),
  },
  {
    usage: 'discipline',
    description: 'how work is done: frontend, backend…',
    load: () => import('./commands/discipline.ts'),
  },
  {
    usage: 'memory',
    description: 'what earlier iterations on a feature did and learned',
    load: () => import('./commands/memory.ts'),
  },
  {
    usage: 'learnings',
    description: 'observations distilled from earlier iterations',
    load: () => import('./commands/learnings.ts'),
  },
  {
    usage: 'hooks',
    description: 'let Claude Code remember: hooks for sessions you drive yourself',
    load: () => import('./commands/hooks.ts'),
  },
  {
    usage: 'mcp [options]',
    description: 'serve memory to an agent over MCP, on standard input and output',
    load: () => import('./commands/mcp.ts'),
  },
  {
    usage: 'receipts [options]',
    description:
      'what was put into which prompt, tool answer or hook, why, how many tokens, and how it ended',
    load: () => import('./commands/receipts.ts'),
  },
  {
    usage: 'migrate [options]',
    description: 'copy memory to another index or database while it is in use; nothing is switched over',
    load: () => import('./commands/migrate.ts'),
  },
  {
    usage: 'recall [options] <query>',
    description: 'one search over all that you may see: this project, project knowledge, conversations',
    load: () => import('./commands/recall.ts'),
  },
  {
    usage: 'knowledge',
    description:
      'what one project learned, for the next: failures with solutions, and what people said at gates',
    load: () => import('./commands/knowledge.ts'),
  },
  {
    usage: 'gate',
    description: 'work that waits for a person: look, approve, reject',
    load: () => import('./commands/gate.ts'),
  },
  ...['conversations', 'rag', 'summarizer', 'embeddings', 'workers'].map((name) => ({
    usage: name,
    description: COMMAND_GROUPS[name]!,
    load: () => import('./commands/conversations.ts'),
  })),
  {
    usage: 'chat [options]',
    description: 'chat with a model that remembers past conversations',
    load: () => import('./commands/chat.ts'),
  },
  {
    usage: 'dashboard [options]',
    description: 'see, search and correct what agents remember, in a browser on this machine',
    load: () => import('./commands/dashboard.ts'),
  },
  {
    usage: 'demo [options]',
    description: 'the whole thing on a sample project: no key, no network, under a minute',
    load: () => import('./commands/demo.ts'),
  },
  {
    usage: 'completion <shell>',
    description: 'print a completion script for your shell',
    load: () => import('./commands/completion.ts'),
  },
]
