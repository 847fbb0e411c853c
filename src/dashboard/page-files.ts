import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { RalphError } from '../errors.ts'
import { packageRoot } from '../version.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export interface PageFile {
  content: Uint8Array<ArrayBuffer>
  type: string
}

/** The built page, read once: what is not in here cannot be asked for, whatever a path looks like. */
export function pageFiles(): Map<string, PageFile> {
  const folder = join(packageRoot, 'dist', 'dashboard')
  const files = new Map<string, PageFile>()
  for (const name of globSync('**/*.*', { cwd: folder })) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    files.set(`/${name.replaceAll('\\', '/')}`, {
      content: new Uint8Array(readFileSync(join(folder, name))),
      type,
    })
  }
  if (!files.has('/index.html'))
    throw new RalphError('missing_dependency', 'the page of the dashboard is not part of this installation', {
      hint: 'In a clone: npm run build. Otherwise install ralph-memory again.',
    })
  return files
}
