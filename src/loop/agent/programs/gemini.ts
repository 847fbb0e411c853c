import { type AgentProgram, flagValue, hasFlag, MCP_SERVER_NAME, modelFlag, ourVariables } from './program.ts'

const NOT_LOGGED_IN = 41
const FOLDER_NOT_TRUSTED = 55

/**
 * `gemini` with its prompt on standard input. In `auto_edit` it edits files; without a terminal it then has no tool that
 * runs commands at all.
 */
export const geminiProgram: AgentProgram = {
  name: 'gemini',
  package: '@google/gemini-cli',
  memoryOffer: (own) => geminiOffer(own),
  start: (call) => ({
    command: [
      ...call.launcher,
      ...call.own,
      ...['--output-format', 'stream-json'],
      ...modelFlag(call),
      ...(hasFlag(call.own, '--approval-mode', '--yolo', '-y') ? [] : ['--approval-mode', 'auto_edit']),
    ],
  }),
  // Files named by its environment count only if they are the administrator's, and no flag names a server.
  lends: {
    file: ['.gemini', 'settings.json'],
    servers: ['mcpServers'],
    entry: ({ type: _, alwaysLoad: __, ...server }, isOurs, env) => ({
      ...(server.command === undefined ? { httpUrl: server.url, headers: server['headers'] } : server),
      // It hides what looks like a key from servers, and puts the value in when it reads this.
      ...(isOurs && {
        env: Object.fromEntries(ourVariables(env).map((name) => [name, `\${${name}}`])),
        trust: true,
      }),
    }),
  },
  refused: /Tool "(?:run_shell_command|write_file|replace|web_fetch)" not found|denied by policy|Blocked: /i,
  allowing: 'Allow more in loop.agent, e.g. "gemini --yolo" for everything, or by its policies.',
  login: 'Start gemini once and log in, or set GEMINI_API_KEY.',
  trouble(exitCode) {
    if (exitCode === NOT_LOGGED_IN) return { cause: 'key', hint: geminiProgram.login }
    if (exitCode !== FOLDER_NOT_TRUSTED) return undefined
    return {
      cause: 'key',
      hint: 'Start gemini once in this folder and trust it, or set GEMINI_CLI_TRUST_WORKSPACE=true.',
    }
  },
}

/** Qwen Code, which was made of it, has the same flags. */
export function geminiOffer(own: readonly string[]): 'everything' | 'reading' | 'nothing' {
  const allowed = flagValue(own, '--allowed-mcp-server-names')
  if (allowed !== undefined && !allowed.split(',').includes(MCP_SERVER_NAME)) return 'nothing'
  return flagValue(own, '--approval-mode') === 'plan' ? 'reading' : 'everything'
}
