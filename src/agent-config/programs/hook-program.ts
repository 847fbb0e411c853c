import type { AgentName } from '../../transcripts/agents.ts'
import type { WantedHook } from '../claude-hooks.ts'

export const PROGRAM_SCOPES = ['project', 'user'] as const
/** `project`: in the project's folder, where it may be committed. `user`: all projects of the user. */
export type ProgramScope = (typeof PROGRAM_SCOPES)[number]

export interface ProgramPlaces {
  project: string
  userHome: string
  /** Where each program keeps its sessions. */
  sessionPlaces: Readonly<Record<AgentName, string>>
}

/** Hooks in a file of settings, in the program's own form. */
export interface SettingsHooks {
  kind: 'settings'
  events: readonly WantedHook[]
  /** The command as the program wants it. */
  entry: (hook: WantedHook, command: string) => object
  /** What a file needs besides, where there is none yet. */
  beside?: Readonly<Record<string, unknown>>
}

/** Hooks that are a program: the whole file is ours. */
export interface ScriptHooks {
  kind: 'script'
  text: (start: ScriptStart) => string
}

/** How a script starts ralph: by these words where they lead to something, else by its name. */
export interface ScriptStart {
  words: readonly string[]
}

/** Where one program looks for hooks, in which form, and what it wants of a person before it runs them. */
export interface HookProgram {
  file: (scope: ProgramScope, places: ProgramPlaces) => string
  hooks: SettingsHooks | ScriptHooks
  /** What is left for the person to do, or undefined. */
  remains: (scope: ProgramScope, places: ProgramPlaces) => string | undefined
}

export type { WantedHook }
