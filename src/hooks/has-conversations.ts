import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'

/** Whether there may be conversations to be found: looking is to make no database. */
export function hasConversations({ settings, paths }: Config): boolean {
  return settings.storage.driver !== 'sqlite' || existsSync(paths.userDatabase)
}
