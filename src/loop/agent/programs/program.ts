import type { McpServer } from '../../../board/discipline.ts'
import type { ServiceCause } from '../../../transcripts/agent-run.ts'
import type { AgentName } from '../../../transcripts/agents.ts'

/** Under which name our MCP server runs in the agent. */
export const MCP_SERVER_NAME = 'ralph'

/** What of memory an agent can call: one that may change nothing changes nothing there either. */
export type MemoryOffer = 'everything' | 'reading' | 'nothing'

export type Servers = Readonly<Record<string, McpServer>>

/** One run of a program, as the loop wants it. */
export interface ProgramCall {
  /** What starts the program: its name, or `npx` and its package. */
  launcher: readonly string[]
  /** A person's own words behind it, which win over ours. */
  own: readonly string[]
  model?: string | undefined
  /** Dollars this run may cost. */
  maxCost?: number | undefined
  /** The MCP servers of this run; ours is among them if the agent may ask it. */
  servers: Servers
  /** Where the file lies that `mcpFile` made. */
  mcpConfig: string
  env: NodeJS.ProcessEnv
}

/** The prompt comes on standard input: every program takes it there, and it may be longer than a command line. */
export interface ProgramStart {
  command: string[]
  /** Added to the environment. */
  env?: Record<string, string>
}

/** Why a run ended of which only the exit code and standard error tell. */
export interface ProgramTrouble {
  cause: ServiceCause
  /** What a person does about it. */
  hint: string
}

/** How one agent's program is started for a run of the loop, and what its own words mean. One file each. */
export interface AgentProgram {
  name: AgentName
  /** On npm. */
  package: string
  /** For reviews, where nobody has named a model. */
  reviewModel?: string
  memoryOffer(own: readonly string[], env: NodeJS.ProcessEnv): MemoryOffer
  start(call: ProgramCall): ProgramStart
  /** The servers in the form in which it reads them from a file; default: as Claude Code does. */
  mcpFile?(servers: Servers): object
  /** A file of the project into which servers are put for a run, where the program takes them in no other way. */
  lends?: ServerLoan
  /** How it says that an action was not allowed. */
  refused: RegExp
  /** How a person allows more. */
  allowing: string
  /** What a person does who is not logged in. */
  login: string
  trouble?(exitCode: number | undefined, complaint: string): ProgramTrouble | undefined
}

export interface ServerLoan {
  /** In the project. */
  file: readonly string[]
  /** The keys that lead to the map of servers. */
  servers: readonly string[]
  entry(server: McpServer, isOurs: boolean, env: NodeJS.ProcessEnv): object
}

/** Whether one of these flags is among the words, also as `--name=value`. */
export function hasFlag(words: readonly string[], ...names: readonly string[]): boolean {
  return words.some((word) => names.some((name) => word === name || word.startsWith(`${name}=`)))
}

/** What is said behind one of these flags. */
export function flagValue(words: readonly string[], ...names: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (names.includes(word)) return words[index + 1]
    const name = names.find((one) => word.startsWith(`${one}=`))
    if (name !== undefined) return word.slice(name.length + 1)
  }
  return undefined
}

export const MODEL_FLAGS = ['--model', '-m'] as const

/** The model, unless a person has named one. */
export function modelFlag({ own, model }: ProgramCall): string[] {
  return model === undefined || hasFlag(own, ...MODEL_FLAGS) ? [] : ['--model', model]
}

/** Behind the subcommand that runs once, which a person may have named too. */
export function withoutSubcommand(own: readonly string[], ...names: readonly string[]): readonly string[] {
  return own[0] !== undefined && names.includes(own[0]) ? own.slice(1) : own
}

const OUR_VARIABLES =
  /^(?:RALPH_\w+|OPENAI_API_KEY|ANTHROPIC_API_KEY|OLLAMA_HOST|NODE_EXTRA_CA_CERTS|(?:HTTPS?|NO)_PROXY)$/i

/** What our server goes by: programs that start servers with an environment of their own hand these on when told. */
export function ourVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).filter((name) => OUR_VARIABLES.test(name) && env[name] !== undefined)
}
