import { posix } from 'node:path'

/** Makes an agent's path project-relative with `/`; undefined when it lies outside the project or is malformed. */
export function projectPath(path: string, project: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined
  let normal = toSlashes(path)
  const root = toSlashes(project).replace(/\/+$/, '')
  if (isAbsolute(normal)) {
    if (!normal.startsWith(`${root}/`)) return undefined
    normal = normal.slice(root.length + 1)
  }
  const clean = posix.normalize(normal).replace(/^\.\//, '').replace(/\/+$/, '')
  return isSafeRelativePath(clean) ? clean : undefined
}

/** Relative, `/`-separated, inside the project. */
export function isSafeRelativePath(path: string): boolean {
  if (path === '' || path === '.' || path.includes('\0') || path.includes('\\') || isAbsolute(path))
    return false
  return !path.split('/').includes('..')
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path)
}

/** Windows paths arrive with backslashes; on other systems a backslash is an ordinary, if odd, character. */
function toSlashes(path: string): string {
  return /^[A-Za-z]:|\\\\/.test(path) || process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
