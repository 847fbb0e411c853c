import { existsSync, readFileSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { rulesOf } from './files/project-path.ts'
import { shellWord } from './text/shell-word.ts'
import { packageRoot } from './version.ts'

const PACKAGE = 'ralph-memory'

/** How this copy of the package came to be here, and so how it is started and what it finds beside it. */
export interface Installation {
  kind: 'global' | 'project' | 'for-one-run' | 'checkout'
  manager: 'npm' | 'pnpm'
  /** The folder that is installed into. */
  root: string
}

type Exists = (path: string) => boolean

/** Read from where the package lies: package managers leave no other word. */
export function installationAt(folder: string, exists: Exists = existsSync): Installation {
  const store = folder.search(/[\\/](?:node_modules[\\/])?\.pnpm[\\/]/)
  const manager = store === -1 ? 'npm' : 'pnpm'
  const { basename, dirname } = rulesOf(folder)
  const isInstalled = basename(dirname(folder)) === 'node_modules'
  if (!isInstalled) return { kind: 'checkout', manager, root: folder }
  const root = store === -1 ? dirname(dirname(folder)) : folder.slice(0, store)
  if (/[\\/](?:_npx|dlx(?:-[^\\/]+)?)[\\/]/.test(folder)) return { kind: 'for-one-run', manager, root }
  const isGlobal =
    manager === 'pnpm' ? /[\\/]global[\\/]/.test(folder) : !exists(rulesOf(root).join(root, 'package.json'))
  return { kind: isGlobal ? 'global' : 'project', manager, root }
}

/** What a person types for `ralph` where they are: a command that a message names must work. */
export function commandName(
  { kind, manager, root }: Installation = installationAt(packageRoot),
  cwd = process.cwd(),
): string {
  if (kind === 'for-one-run') return manager === 'pnpm' ? `pnpm dlx ${PACKAGE}` : `npx ${PACKAGE}`
  if (kind === 'checkout') return isWithin(root, cwd) ? 'npx ralph' : 'ralph'
  if (kind === 'global') return 'ralph'
  // Elsewhere npx would fetch another package of that name.
  if (!isWithin(root, cwd)) return word(rulesOf(root).join(root, 'node_modules', '.bin', 'ralph'))
  return manager === 'pnpm' ? 'pnpm exec ralph' : 'npx ralph'
}

/** What puts a package where ours finds it. */
export function installCommand(
  name: string,
  { kind, manager, root }: Installation = installationAt(packageRoot),
  cwd = process.cwd(),
): string {
  const wanted = name.slice(1).includes('@') ? name : `${name}${madeFor(name)}`
  if (kind === 'for-one-run') {
    return manager === 'pnpm'
      ? `pnpm --package=${PACKAGE} --package=${wanted} dlx ralph …`
      : `npx -p ${PACKAGE} -p ${wanted} ralph …`
  }
  const install = manager === 'pnpm' ? 'pnpm add' : 'npm install'
  if (kind === 'global') return `${install} -g ${wanted}`
  if (isWithin(root, cwd)) return `${install} ${wanted}`
  return `${install} ${manager === 'pnpm' ? '--dir' : '--prefix'} ${word(root)} ${wanted}`
}

/** What brings a newer version of this package. */
export function updateCommand(
  installation: Installation = installationAt(packageRoot),
  cwd?: string,
): string {
  const { kind, manager } = installation
  if (kind === 'checkout') return 'git pull && npm install'
  if (kind !== 'for-one-run') return installCommand(`${PACKAGE}@latest`, installation, cwd)
  return manager === 'pnpm' ? `pnpm dlx ${PACKAGE}@latest` : `npx ${PACKAGE}@latest`
}

/** What brings all files of this package and of what it stands on again. */
export function reinstallAdvice({ kind, manager, root } = installationAt(packageRoot)): string {
  if (kind === 'for-one-run') return `Delete ${root}: what runs it fetches it again.`
  if (kind === 'checkout') return `Install it again: cd ${word(root)} && rm -r node_modules && npm install`
  const [remove, add] = manager === 'pnpm' ? ['pnpm remove', 'pnpm add'] : ['npm uninstall', 'npm install']
  const flag = kind === 'global' ? ' -g' : ''
  return `Install it again: ${remove}${flag} ${PACKAGE} && ${add}${flag} ${PACKAGE}`
}

/** What takes the command itself away; undefined where nothing was installed for good. */
export function removeCommand(
  { kind, manager, root }: Installation = installationAt(packageRoot),
  cwd = process.cwd(),
): string | undefined {
  if (kind === 'for-one-run' || kind === 'checkout') return undefined
  const remove = manager === 'pnpm' ? 'pnpm remove' : 'npm uninstall'
  if (kind === 'global') return `${remove} -g ${PACKAGE}`
  if (isWithin(root, cwd)) return `${remove} ${PACKAGE}`
  return `${remove} ${manager === 'pnpm' ? '--dir' : '--prefix'} ${word(root)} ${PACKAGE}`
}

/** `@7` for a package that we work with in its seventh version. */
function madeFor(name: string): string {
  const { peerDependencies, dependencies } = JSON.parse(
    readFileSync(join(packageRoot, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string> | undefined>
  const range = { ...dependencies, ...peerDependencies }[name] ?? ''
  const major = /^\^([1-9]\d*)\./.exec(range)?.[1]
  return major === undefined ? '' : `@${major}`
}

function isWithin(folder: string, path: string): boolean {
  const { relative, isAbsolute, sep } = rulesOf(folder)
  const way = relative(folder, path)
  // Absolute: on another drive.
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

/** A path in a command for the shells of the machine that it is of: people's folders have spaces in their names. */
function word(path: string): string {
  return shellWord(path, rulesOf(path) === win32 ? 'win32' : process.platform)
}
