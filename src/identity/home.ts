import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { createFileAtomically } from '../files/atomic-write.ts'
import { parseObject } from '../text/json.ts'

const HOME_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ABOUT =
  'Which home folder of ralph this is, so that a database of a team knows whose. Do not copy it to another machine.'

/** The random id that a home folder keeps; made by whoever asks first. */
export async function homeId(file: string): Promise<string> {
  const known = readHomeId(file)
  if (known !== undefined) return known
  // Of two who come at once, the second gets the id of the first.
  await createFileAtomically(file, `${JSON.stringify({ about: ABOUT, id: randomUUID() }, null, 2)}\n`)
  return readHomeId(file)!
}

function readHomeId(file: string): string | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError(error, file, 'reading which home folder this is')
  }
  const id = parseObject(text)?.['id']
  if (typeof id === 'string' && HOME_ID.test(id)) return id
  throw new RalphError('damaged', `${file} does not say which home folder this is`, {
    hint: `Remove it, then say that it is still you: rm ${file} && ralph user --same`,
  })
}
