import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PACKAGES = fileURLToPath(new URL('./packages/', import.meta.url))

/** Where npm puts what this peer needs. */
export function packageFolder(folder: string): string {
  return join(PACKAGES, folder)
}

/**
 * What a peer's `index.mjs` takes out of its packages, found from there. Their types are not here: whoever checks types has no
 * peers installed, so that each adapter says what it uses.
 */
export async function loadPeer<Module>(folder: string): Promise<Module> {
  return (await import(pathToFileURL(join(packageFolder(folder), 'index.mjs')).href)) as Module
}

/** A program of a peer, by its path in its package. */
export function programOf(folder: string, name: string, path: string): string {
  return join(packageFolder(folder), 'node_modules', ...name.split('/'), ...path.split('/'))
}
