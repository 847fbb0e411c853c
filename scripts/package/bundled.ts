/** Which packages of others are inside dist/: the build notes it, and licences and the list of parts are made from the note. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Beside the build, not in it: nobody who installs the package needs it. */
const NOTE = join('node_modules', '.cache', 'ralph-bundled.json')

/** The folder of a package, from the root of the repository, of each module that is not our own: `node_modules/zod`. */
export function foldersOfPackages(modules: Iterable<string>): string[] {
  const folders = [...modules].flatMap((id) => {
    // Tools mark modules of their making with a zero byte, and add questions behind a name.
    const path = id.replaceAll('\\', '/').replace(/^\0/, '').replace(/\?.*$/, '')
    return /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []
  })
  return [...new Set(folders)].toSorted()
}

export function noteBundled(root: string, modules: Iterable<string>): void {
  mkdirSync(dirname(join(root, NOTE)), { recursive: true })
  writeFileSync(join(root, NOTE), `${JSON.stringify(foldersOfPackages(modules), null, 2)}\n`)
}

export function bundledFolders(root: string): string[] {
  try {
    return JSON.parse(readFileSync(join(root, NOTE), 'utf8')) as string[]
  } catch (cause) {
    throw new Error('nothing says what was bundled into dist/: build first, npm run build', { cause })
  }
}
