import { dirname, join } from 'node:path'
import type { AgentName } from '../../transcripts/agents.ts'
import type { HookProgram, ProgramPlaces, ProgramScope, WantedHook } from './hook-program.ts'
import { opencodePlugin, piExtension } from './scripts.ts'

/** Claude Code has scopes and ways of its own: see `claude-hooks.ts`. */
export type HookedAgent = Exclude<AgentName, 'claude-code'>

const SECONDS = 10
/** In the project, or with the user: in the folder that the program keeps its sessions in, wherever that is. */
const inFolders =
  (agent: HookedAgent, project: readonly string[], user: readonly string[]) =>
  (scope: ProgramScope, places: ProgramPlaces) =>
    scope === 'user' ? join(dirname(places.sessionPlaces[agent]), ...user) : join(places.project, ...project)
/** As Claude Code has it: a list of groups, each for some tools. */
const inGroups =
  (timeout: number, more: (hook: WantedHook) => object = () => ({})) =>
  (hook: WantedHook, command: string) => ({
    ...(hook.matcher !== undefined && { matcher: hook.matcher }),
    hooks: [{ type: 'command', ...more(hook), command, timeout }],
  })

export const HOOK_PROGRAMS: Readonly<Record<HookedAgent, HookProgram>> = {
  codex: {
    file: inFolders('codex', ['.codex', 'hooks.json'], ['hooks.json']),
    hooks: {
      kind: 'settings',
      events: [
        { event: 'SessionStart' },
        { event: 'UserPromptSubmit' },
        { event: 'PreToolUse', matcher: 'Bash|apply_patch' },
        { event: 'PostToolUse', matcher: 'Bash' },
        { event: 'PreCompact' },
        { event: 'Stop' },
        { event: 'SessionEnd' },
      ],
      entry: inGroups(SECONDS),
    },
    remains: (scope) =>
      `Codex skips hooks that nobody has approved, without a word: start codex${scope === 'project' ? ' in this project (and trust it when it asks)' : ''}, type /hooks and approve them. After each change of them, again.`,
  },
  gemini: {
    file: inFolders('gemini', ['.gemini', 'settings.json'], ['settings.json']),
    hooks: {
      kind: 'settings',
      events: [
        { event: 'SessionStart' },
        { event: 'BeforeAgent' },
        { event: 'BeforeTool', matcher: '^(?:run_shell_command|replace|write_file)$' },
        { event: 'AfterTool', matcher: '^(?:run_shell_command|read_file)$' },
        { event: 'AfterAgent' },
        { event: 'SessionEnd' },
      ],
      // It counts in milliseconds.
      entry: inGroups(SECONDS * 1_000, ({ event }) => ({ name: `ralph-memory-${event}` })),
    },
    remains: (scope) =>
      scope === 'user'
        ? undefined
        : 'Gemini CLI runs hooks of a project only in a trusted folder: start gemini here and trust it when it asks, or /permissions.',
  },
  qwen: {
    file: inFolders('qwen', ['.qwen', 'settings.json'], ['settings.json']),
    hooks: {
      kind: 'settings',
      events: [
        { event: 'SessionStart' },
        { event: 'UserPromptSubmit' },
        { event: 'PreToolUse', matcher: '^(?:run_shell_command|edit|write_file)$' },
        { event: 'PostToolUse', matcher: '^read_file$' },
        { event: 'PostToolUseFailure', matcher: '^run_shell_command$' },
        { event: 'PreCompact' },
        { event: 'Stop' },
        { event: 'SessionEnd' },
      ],
      entry: inGroups(SECONDS),
    },
    remains: (scope) =>
      scope === 'user'
        ? undefined
        : 'Where Qwen Code asks whether it may trust folders, it runs hooks of a project only in a trusted one: /trust.',
  },
  copilot: {
    file: inFolders('copilot', ['.github', 'hooks', 'ralph-memory.json'], ['hooks', 'ralph-memory.json']),
    hooks: {
      kind: 'settings',
      events: [
        { event: 'sessionStart' },
        { event: 'userPromptSubmitted' },
        { event: 'preToolUse', matcher: 'bash|powershell|view|edit|create|apply_patch' },
        { event: 'postToolUse', matcher: 'bash|powershell' },
        { event: 'preCompact' },
        { event: 'agentStop' },
        { event: 'sessionEnd' },
      ],
      entry: ({ matcher }, command) => ({
        type: 'command',
        ...(matcher !== undefined && { matcher }),
        bash: command,
        powershell: command,
        timeoutSec: SECONDS,
      }),
      beside: { version: 1 },
    },
    remains: (scope) =>
      scope === 'user'
        ? undefined
        : 'Copilot skips hooks of a folder that is not trusted, without a word: start copilot here and trust it when it asks (for one run: copilot -p … --trust-folder).',
  },
  opencode: {
    // Its sessions lie apart from its settings.
    file: (scope, { project, userHome }) =>
      scope === 'user'
        ? join(userHome, '.config', 'opencode', 'plugin', 'ralph-memory.js')
        : join(project, '.opencode', 'plugin', 'ralph-memory.js'),
    hooks: { kind: 'script', text: opencodePlugin },
    remains: () =>
      'The first start of opencode with a plugin fetches a package of its own into that folder; without a network that takes a minute, once.',
  },
  pi: {
    file: inFolders('pi', ['.pi', 'extensions', 'ralph-memory.js'], ['extensions', 'ralph-memory.js']),
    hooks: { kind: 'script', text: piExtension },
    remains: () => undefined,
  },
}

export const HOOKED_AGENTS = Object.keys(HOOK_PROGRAMS) as HookedAgent[]
