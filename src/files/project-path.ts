import { realpathSync } from 'node:fs'
import { type PlatformPath, posix, win32 } from 'node:path'

interface PathOptions {
  /** Where a relative path begins; in the project unless given. */
  from?: string | undefined
  platform?: NodeJS.Platform
  /** The path as the disk has it: links followed, letters as they are there. Undefined when it is not there. */
  real?: (path: string) => string | undefined
}

/** Makes an agent's path project-relative with `/`; undefined when it lies outside the project or is malformed. */
export function projectPath(path: string, project: string, options?: PathOptions): string | undefined {
  return placeInProject(path, project, options) || undefined
}

/**
 * The same, and the project itself is the empty string. One file has many names: through a link, in other letters where
 * the disk does not tell them apart, with accents composed or not, with one or the other slash.
 */
export function placeInProject(
  path: string,
  project: string,
  { from = project, platform = process.platform, real = realPath }: PathOptions = {},
): string | undefined {
  if (path === '' || path.includes('\0')) return undefined
  const rules = rulesOf(project, platform)
  const root = rules.resolve(tidy(project, rules))
  const full = rules.resolve(root, tidy(from, rules), tidy(path, rules))
  const asWritten = inside(root, full, rules)
  const folds = platform === 'win32' || platform === 'darwin'
  // Paths of another kind of machine are not on this disk.
  const isHere = rules === rulesOf('', platform)
  const isThere = (place: string) => isHere && real(rules.join(root, place)) !== undefined
  if (asWritten !== undefined && !folds) return accented(asWritten, isThere)
  const stored = isHere ? real(root) : undefined
  const asStored = stored && inside(stored, realParent(full, rules, real), rules)
  const place = asStored ?? asWritten ?? (folds && !stored ? inside(root, full, rules, fold) : undefined)
  return place && accented(place, isThere)
}

/** Whether a folder, told by its whole path, is the project's own or lies in it. */
export function isFolderOfProject(
  folder: string,
  project: string,
  options: Omit<PathOptions, 'from'> = {},
): boolean {
  const rules = rulesOf(project, options.platform ?? process.platform)
  return rules.isAbsolute(tidy(folder, rules)) && placeInProject(folder, project, options) !== undefined
}

/** Relative, `/`-separated, inside the project. */
export function isSafeRelativePath(path: string): boolean {
  if (path === '' || path === '.' || /[\0\\]/.test(path) || isAbsolutePath(path)) return false
  return !path.split('/').includes('..')
}

/** On any machine: a record may be read on another one than it was written on. */
export function isAbsolutePath(path: string): boolean {
  return win32.isAbsolute(path) || /^[A-Za-z]:/.test(path)
}

/** Where a path leads from a directory, by the rules of the machine that the directory is on. */
export function pathFrom(directory: string, path: string): string {
  const rules = rulesOf(directory, process.platform)
  return rules.isAbsolute(path) ? path : rules.join(directory, path)
}

/** A command's text with the names of the project's files as seen from the project. */
export function withoutProject(text: string, project: string): string {
  if (rulesOf(project, process.platform) === posix) return text.replaceAll(`${project}/`, '')
  const names = project.split(/[\\/]+/).map((name) => name.replace(/[^\w ]/g, '\\$&'))
  return text.replace(new RegExp(`${names.join('[\\\\/]+')}[\\\\/]+`, 'gi'), '')
}

/** By which rules a path is read: those of the machine that it is of. */
export function rulesOf(path: string, platform: NodeJS.Platform = process.platform): PlatformPath {
  return platform === 'win32' || /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? win32 : posix
}

/** Windows has more spellings: long names (`\\?\C:\`), those of file addresses (`/C:/`) and of Git Bash (`/c/`). */
function tidy(path: string, rules: PlatformPath): string {
  if (rules === posix) return path
  return path
    .replace(/^[\\/]{2}[?.][\\/](?=[A-Za-z]:)/, '')
    .replace(/^[\\/](?=[A-Za-z]:)/, '')
    .replace(/^\/([A-Za-z])(?=\/|$)/, '$1:')
}

/** With its accents as the disk has them, which may tell both ways of writing them apart; else composed. */
function accented(place: string, isThere: (place: string) => boolean): string {
  const composed = place.normalize('NFC')
  const apart = place.normalize('NFD')
  if (composed === apart) return place
  return [place, composed, apart].find(isThere) ?? composed
}

function inside(
  root: string,
  full: string,
  rules: PlatformPath,
  alike = (path: string) => path,
): string | undefined {
  const way = rules.relative(alike(root.normalize('NFC')), alike(full.normalize('NFC')))
  if (way === '') return ''
  const steps = way.split(rules.sep)
  if (steps[0] === '..' || rules.isAbsolute(way)) return undefined
  // The names as they were given, not as they were compared.
  const found = full.split(rules.sep).slice(-steps.length).join('/')
  return isSafeRelativePath(found) ? found : undefined
}

function fold(path: string): string {
  return path.toLowerCase()
}

/** What does not exist yet lies where its nearest existing parent really is. */
function realParent(path: string, rules: PlatformPath, real: (path: string) => string | undefined): string {
  for (let parent = path; ; parent = rules.dirname(parent)) {
    const found = real(parent)
    if (found !== undefined) return rules.join(found, rules.relative(parent, path))
    if (rules.dirname(parent) === parent) return path
  }
}

/** The path as the disk has it; undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
