import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the installed package: the nearest folder upwards with our package.json, from src/ as from dist/chunks/. */
export const packageRoot = findPackageRoot(dirname(fileURLToPath(import.meta.url)))
export const version: string = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version

function findPackageRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  return findPackageRoot(dirname(folder))
}
