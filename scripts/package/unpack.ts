import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Every system that we know has `tar`; a path with a drive's letter it would take for another machine. */
export function unpack(tarball: string, folder: string): string {
  mkdirSync(folder)
  copyFileSync(tarball, join(folder, 'package.tgz'))
  execFileSync('tar', ['-xzf', 'package.tgz'], { cwd: folder })
  return join(folder, 'package')
}
