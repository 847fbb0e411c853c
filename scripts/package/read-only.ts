/** A folder that nobody may change, and whether somebody did. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function makeReadOnly(folder: string): void {
  for (const path of everythingIn(folder)) change(path, (mode) => mode & ~0o222)
}

/** So that it can be deleted. */
export function makeWritable(folder: string): void {
  for (const path of everythingIn(folder)) change(path, (mode) => mode | 0o200)
}

/** Every path with its size and when it was changed last. */
export function stateOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    everythingIn(folder).map((path) => {
      const { size, mtimeMs } = lstatSync(path)
      return [path, `${size} ${mtimeMs}`]
    }),
  )
}

export function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter((path) => before.get(path) !== after.get(path))
}

function everythingIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return [folder, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
}

function change(path: string, mode: (now: number) => number): void {
  const { mode: now, isSymbolicLink } = describe(path)
  if (!isSymbolicLink) chmodSync(path, mode(now))
}

function describe(path: string) {
  const entry = lstatSync(path)
  return { mode: entry.mode, isSymbolicLink: entry.isSymbolicLink() }
}
