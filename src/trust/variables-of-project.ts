import { statSync } from 'node:fs'
import { join } from 'node:path'
import { checkoutRoot, textIfAny } from '../files/git-checkout.ts'
import { isFree } from './settings-demands.ts'

/** Where a project can have variables set for the programs that agents, editors and shells start in it. */
const SET_IN = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json'],
  ...['.gemini/.env', '.gemini/settings.json', '.qwen/.env', '.qwen/settings.json', '.codex/config.toml'],
  ...['.cursor/mcp.json', '.vscode/mcp.json', '.vscode/settings.json', '.github/mcp.json', 'opencode.json'],
  ...['.env', '.env.local', '.envrc', 'mise.toml', '.mise.toml', '.devcontainer/devcontainer.json'],
]
/** Nobody writes more into one of them by hand. */
const MOST_BYTES = 1_000_000

/** A variable of ours that a file of the project names. */
export interface ProjectVariable {
  name: string
  file: string
}

interface SetVariable {
  name: string
  group: string
  key: string
  value: unknown
}

/**
 * Those of these variables that would execute, send or connect and that a file of the project names: they are no person's
 * word, whoever handed them on. Named is enough: who was first cannot be told.
 */
export function variablesIgnored(set: readonly SetVariable[], project: string): ProjectVariable[] {
  const names = set.filter(({ group, key, value }) => !isFree(group, key, value)).map(({ name }) => name)
  if (names.length === 0) return []
  const folders = new Set([project, checkoutRoot(project) ?? project])
  const files = [...folders].flatMap((folder) =>
    SET_IN.map((file) => ({ file, text: shortText(join(folder, file)) })),
  )
  return names.flatMap((name) => {
    const found = files.find(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
    return found ? [{ name, file: found.file }] : []
  })
}

function shortText(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size === 0 || size > MOST_BYTES ? '' : (textIfAny(path) ?? '')
}
