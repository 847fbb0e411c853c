import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../errors.ts'
import { writeOwnFile } from './own-files.ts'

/** What is of this machine only ignores itself, so that it stays out of git also where nobody ran `ralph init`. */
export function keepOutOfGit(folder: string, files: string): void {
  const rules = join(folder, '.gitignore')
  try {
    if (existsSync(folder) && !existsSync(rules)) writeOwnFile(rules, `${files}\n`, { access: 'create' })
  } catch (error) {
    if (errnoOf(error) === undefined) throw error // a full or read-only disk: a tidy `git status` is not worth a failure
  }
}
