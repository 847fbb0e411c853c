import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { RalphError } from '../errors.ts'
import type { DocumentSourceRow } from '../storage/tables.ts'
import { liesIn } from './sources.ts'

/** Which of the files and folders that were added are meant by what a person typed. */
export async function namedSources(
  paths: readonly string[],
  here: readonly DocumentSourceRow[],
): Promise<DocumentSourceRow[]> {
  const named = new Map<string, DocumentSourceRow>()
  for (const given of paths) {
    const path = resolve(given)
    const real = await realpath(path).catch(() => path)
    const source = here.find((one) => one.path === real || one.path === path)
    if (!source) throw notAdded(path, here)
    named.set(source.id, source)
  }
  return [...named.values()]
}

function notAdded(path: string, here: readonly DocumentSourceRow[]): RalphError {
  const around = here.find((source) => source.is_folder && liesIn(path, source.path))
  return around
    ? new RalphError('invalid_input', `${path} was not added by itself: it is part of ${around.path}`, {
        hint: 'Name that folder. To leave out some of it, let git ignore it (.gitignore), then: ralph documents sync',
      })
    : new RalphError('not_found', `${path} was not added`, { hint: 'ralph documents list shows what was.' })
}
