import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../version.ts'
import type { ServerCommand } from './clients.ts'

/**
 * How to start this very installation of ralph, in absolute paths: editors and agents start servers and hooks with
 * other search paths than the user's shell.
 */
export function ralphCommandLine(args: readonly string[]): ServerCommand {
  return { command: process.execPath, args: [ralphProgram(), ...args] }
}

export function ralphProgram(): string {
  return join(packageRoot, 'bin', 'ralph.js')
}

/** Whether this installation runs on another Node than the one at work: one that is too old says so. */
export function runsRalph(node: string): boolean {
  return spawnSync(node, [ralphProgram(), '--version'], { timeout: 10_000 }).status === 0
}

/** `ralph`: from the search path. `npx`: from the project's own packages, else fetched. */
export type PortableWay = 'ralph' | 'npx'

/** The same for files that are committed and used on other machines. */
export function portableCommandLine(args: readonly string[], way: PortableWay = 'ralph'): ServerCommand {
  if (way === 'ralph') return { command: 'ralph', args: [...args] }
  // By the name of the package: `npx ralph` would fetch somebody else's where ours is missing.
  return { command: 'npx', args: ['-y', 'ralph-memory', ...args] }
}
