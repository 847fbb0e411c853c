import type { DocumentsOverview } from '../documents/record.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { ok, type Result, together, warning } from './finding.ts'
import { storageIfAny } from './status.ts'

/** Undefined while nobody has added any, or where they are kept cannot be reached, which is said of that. */
export async function documentsStatus(parts: DoctorParts): Promise<DocumentsOverview | undefined> {
  const storage = await storageIfAny(parts)
  const any = storage && (await storage.db.selectFrom('document_sources').select('id').limit(1).execute())
  return any && any.length > 0 ? parts.documents() : undefined
}

export async function checkDocuments(parts: DoctorParts): Promise<Result> {
  const found = await documentsStatus(parts)
  if (!found) return ok('none added')
  const gone = found.missing.map((path) =>
    warning(
      `${path} is not there`,
      `Mount or restore it, or forget it: ralph documents remove ${JSON.stringify(path)}`,
      'What was read of it before is still found.',
    ),
  )
  return together(gone, documentsText(found))
}

/** In a line. */
export function documentsText({ documents, pieces, waiting, problems }: DocumentsOverview): string {
  return [
    `${plural(documents, 'file')} in ${plural(pieces, 'piece')}`,
    ...(problems > 0 ? [`${problems} could not be read (ralph documents list)`] : []),
    ...(waiting > 0 ? [`${waiting} wait to be found by meaning (ralph documents sync)`] : []),
  ].join('; ')
}
