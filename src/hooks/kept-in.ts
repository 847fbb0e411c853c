import type { Config } from '../config.ts'
import { shortHash } from '../text/ids.ts'

/**
 * Tells databases and people apart without naming them. One helper serves all projects of a home folder, and a project may
 * keep its conversations in the database of a team: nobody is told what is kept in another one.
 */
export function keptIn({ settings }: Pick<Config, 'settings'>): string {
  const { driver, url } = settings.storage
  return shortHash(JSON.stringify([driver, url, settings.user.name]), 16)
}
