import { join } from 'node:path'
import { isMap, parseDocument } from 'yaml'
import { RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { z } from '../text/schema.ts'
import { loadError, readText } from './entry-file.ts'

const BOARD_VERSION = 1

const Metadata = z.looseObject({
  schema_version: z._default(z.int(), BOARD_VERSION),
  next_task_id: z._default(z.int().check(z.positive()), 1),
})

/** metadata.yaml: the board's version, and the next task id, so that the id of a removed task never comes back. */
export class MetadataFile {
  readonly path: string

  constructor(dir: string) {
    this.path = join(dir, 'metadata.yaml')
  }

  /** Refuses to work on a board that a later version wrote. */
  async check(): Promise<void> {
    checkMetadata(this.path, await readText(this.path))
  }

  /** A number that neither a task of today nor one of the past has. */
  async takeTaskId(used: readonly number[]): Promise<number> {
    const { document, nextTaskId } = checkMetadata(this.path, await readText(this.path))
    const id = used.reduce((highest, one) => Math.max(highest, one + 1), nextTaskId)
    if (!isMap(document.contents))
      document.contents = document.createNode({ schema_version: BOARD_VERSION }) as never
    document.set('next_task_id', id + 1)
    await writeFileAtomically(this.path, document.toString({ lineWidth: 0 }))
    return id
  }
}

/** Throws when the text is no metadata that we can work with. */
export function checkMetadata(path: string, text: string | undefined) {
  const broken = (line: number, message: string) => loadError(path, [{ line, message }])
  if (text === undefined) throw broken(1, 'is not UTF-8 text')
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw broken(error.linePos?.[0].line ?? 1, 'is not valid YAML')
  const parsed = Metadata.safeParse(document.toJS() ?? {})
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw broken(1, `${issue!.path.join('.')}: ${issue!.message}`)
  }
  if (parsed.data.schema_version > BOARD_VERSION) {
    throw new RalphError('unsupported_version', `${path} is of version ${parsed.data.schema_version}`, {
      hint: `This ralph reads version ${BOARD_VERSION}. Update ralph-memory to read it.`,
    })
  }
  return { document, nextTaskId: parsed.data.next_task_id }
}
