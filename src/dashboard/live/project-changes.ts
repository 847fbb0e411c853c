import { basename, dirname } from 'node:path'
import type { Ralph } from '../../ralph.ts'
import { STORED_PARTS } from '../../storage/marks.ts'
import { Changes } from './changes.ts'
import { fileMarks, watchedFolders } from './file-marks.ts'
import type { Marks } from './part.ts'

const RHYTHM = {
  /** Four times a second is as soon as anybody can see it. */
  restMs: 250,
  /** For file systems that do not tell. */
  everyMs: 2_000,
}

/** What changes in one project's memory and in what its user shares between projects, whoever changes it. */
export function projectChanges(
  { config, stored }: Pick<Ralph, 'config' | 'stored'>,
  rhythm = RHYTHM,
): Changes {
  const database = basename(config.paths.userDatabase)
  return new Changes({
    restMs: rhythm.restMs,
    sources: [
      { ...rhythm, look: () => fileMarks(config), folders: watchedFolders(config) },
      {
        ...rhythm,
        look: () => storedMarks(stored),
        folders: [
          { folder: dirname(config.paths.userDatabase), wakes: (name: string) => name.startsWith(database) },
        ],
      },
    ],
  })
}

/** Going down is a change too, and coming back: the page asks, and hears what is wrong. */
async function storedMarks(stored: Ralph['stored']): Promise<Marks> {
  try {
    return new Map(Object.entries(await stored.marks())) as Marks
  } catch {
    return new Map(STORED_PARTS.map((part) => [part, 'unavailable']))
  }
}
