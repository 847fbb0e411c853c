import type { Command } from 'commander'
import { COMMAND_GROUPS } from '../conversation-commands/command-groups.ts'

/** What the help calls the groups of commands, in its order. */
export const HELP_GROUPS = {
  everyday: 'Every day',
  board: 'Board',
  memories: 'Memories',
  care: 'Care',
  plumbing: 'Plumbing',
} as const

export interface CommandEntry {
  name: string
  /** Other names that it goes by. */
  aliases?: readonly string[]
  description: string
  group: keyof typeof HELP_GROUPS
  /** Not among those that the help shows first; `ralph help --all` does. */
  hidden?: true
  /** What adds the rest to it: loaded only for the command that is called. */
  load: () => Promise<{ register: (command: Command, named?: string) => void }>
}

/** Every command of `ralph`, in the order of the help, which needs nothing else. */
export const COMMAND_TABLE: readonly CommandEntry[] = [
  {
    name: 'init',
    description: 'set memory up in this project: past sessions, hooks, memory tools, a board',
    group: 'everyday',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'search',
    aliases: ['recall'],
    description: 'find anything: what was done, learned, decided and said',
    group: 'everyday',
    load: () => import('./commands/search.ts'),
  },
  {
    name: 'show',
    description: 'open anything in full, by the id that a search or a list shows',
    group: 'everyday',
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'undo',
    description: 'take back the last change you made through ralph',
    group: 'everyday',
    load: () => import('./commands/undo.ts'),
  },
  {
    name: 'status',
    description: 'what there is, what waits for you and what settles it, and whether all is well',
    group: 'everyday',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'loop',
    description: 'run a coding agent over the tasks, told what earlier runs learned',
    group: 'everyday',
    load: () => import('./commands/loop.ts'),
  },
  {
    name: 'dashboard',
    description: 'see, search and correct what agents remember, in a browser',
    group: 'everyday',
    load: () => import('./commands/dashboard.ts'),
  },
  {
    name: 'chat',
    description: 'chat with a model that remembers past conversations',
    group: 'everyday',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'demo',
    description: 'all of it on a sample project: no key, no network, one minute',
    group: 'everyday',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'feature',
    description: 'what is built: the named areas of the project',
    group: 'board',
    load: () => import('./commands/feature.ts'),
  },
  {
    name: 'task',
    description: 'what is to be done, one piece at a time',
    group: 'board',
    load: () => import('./commands/task.ts'),
  },
  {
    name: 'discipline',
    description: 'how work is done: frontend, backend…',
    group: 'board',
    load: () => import('./commands/discipline.ts'),
  },
  {
    name: 'gate',
    description: 'work that waits for a person: look, approve, reject',
    group: 'board',
    load: () => import('./commands/gate.ts'),
  },
  {
    name: 'prompt',
    description: 'the prompt a task would get now, and what of it costs how much',
    group: 'board',
    load: () => import('./commands/prompt.ts'),
  },
  {
    name: 'memory',
    description: 'what earlier iterations on a feature did and learned',
    group: 'memories',
    load: () => import('./commands/memory.ts'),
  },
  {
    name: 'learnings',
    description: 'observations distilled from earlier iterations',
    group: 'memories',
    load: () => import('./commands/learnings.ts'),
  },
  {
    name: 'knowledge',
    description: 'what one project learned for all others',
    group: 'memories',
    load: () => import('./commands/knowledge.ts'),
  },
  {
    name: 'conversations',
    description: COMMAND_GROUPS['conversations']!,
    group: 'memories',
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'documents',
    description: COMMAND_GROUPS['documents']!,
    group: 'memories',
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'receipts',
    description: 'what agents were told, why, for how many tokens, and how it ended',
    group: 'memories',
    load: () => import('./commands/receipts.ts'),
  },
  {
    name: 'effect',
    description: 'whether memory helps in this project: runs with it against runs without',
    group: 'memories',
    load: () => import('./commands/effect.ts'),
  },
  {
    name: 'doctor',
    description: 'check all that memory stands on, and say how to mend it',
    group: 'care',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'sync',
    description: 'record what agents did here and no hook has told, from the sessions that they keep',
    group: 'care',
    load: () => import('./commands/sync.ts'),
  },
  {
    name: 'config',
    description: 'every setting with where it comes from: list, get, set, unset',
    group: 'care',
    load: () => import('./commands/config.ts'),
  },
  {
    name: 'trust',
    description: "what this project's settings would run, send or connect to",
    group: 'care',
    load: () => import('./commands/trust.ts'),
  },
  {
    name: 'migrate',
    description: 'copy memory to another index or database while it is in use',
    group: 'care',
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'uninstall',
    description: 'take out what init set up; the memory itself only if you say so',
    group: 'care',
    load: () => import('./commands/uninstall.ts'),
  },
  {
    name: 'hooks',
    description: 'let Claude Code remember: hooks for sessions you drive yourself',
    group: 'plumbing',
    load: () => import('./commands/hooks.ts'),
  },
  {
    name: 'mcp',
    description: 'serve memory to an agent over MCP, on standard input and output',
    group: 'plumbing',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'workers',
    description: COMMAND_GROUPS['workers']!,
    group: 'plumbing',
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'spend',
    description: COMMAND_GROUPS['spend']!,
    group: 'plumbing',
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'project',
    description: 'which project this is, wherever it lies',
    group: 'plumbing',
    load: () => import('./commands/project.ts'),
  },
  {
    name: 'user',
    description: 'who you are in the database of a team, and who else is there',
    group: 'plumbing',
    load: () => import('./commands/user.ts'),
  },
  {
    name: 'completion',
    description: 'print a completion script for your shell',
    group: 'plumbing',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'rag',
    description: COMMAND_GROUPS['rag']!,
    group: 'plumbing',
    hidden: true,
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'summarizer',
    description: COMMAND_GROUPS['summarizer']!,
    group: 'plumbing',
    hidden: true,
    load: () => import('./commands/conversations.ts'),
  },
  {
    name: 'embeddings',
    description: COMMAND_GROUPS['embeddings']!,
    group: 'plumbing',
    hidden: true,
    load: () => import('./commands/conversations.ts'),
  },
]

/** The command of that name; a plural for a singular, or the other way round, is no reason not to know it. */
export function entryNamed(word: string | undefined): CommandEntry | undefined {
  if (word === undefined) return undefined
  const called = (name: string) =>
    COMMAND_TABLE.find((one) => [one.name, ...(one.aliases ?? [])].includes(name))
  return called(word) ?? called(`${word}s`) ?? called(word.replace(/ies$/, 'y').replace(/s$/, ''))
}
