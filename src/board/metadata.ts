import { join } from 'node:path'
import { isMap, parseDocument } from 'yaml'
import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { writeFileAtomically } from '../storage/atomic-write.ts'
import { loadError, readText } from './entry-file.ts'

export const BOARD_VERSION = 1

const Metadata = z.looseObject({
  version: z.int().default(BOARD_VERSION),
  next_task_id: z.int().positive().default(1),
})

/** metadata.yaml: the board's version, and the next task id, so that the id of a removed task never comes back. */
export class MetadataFile {
  readonly path: string

  constructor(dir: string) {
    this.path = join(dir, 'metadata.yaml')
  }

  async check(): Promise<void> {
    await this.#read()
  }

  /** A number that neither a task of today nor one of the past has. */
  async takeTaskId(used: readonly number[]): Promise<number> {
    const { document, nextTaskId } = await this.#read()
    const id = used.reduce((highest, one) => Math.max(highest, one + 1), nextTaskId)
    if (!isMap(document.contents))
      document.contents = document.createNode({ version: BOARD_VERSION }) as never
    document.set('next_task_id', id + 1)
    await writeFileAtomically(this.path, document.toString({ lineWidth: 0 }))
    return id
  }

  async #read() {
    const document = parseDocument((await readText(this.path)) ?? '\0')
    const [error] = document.errors
    if (error)
      throw loadError(this.path, [{ line: error.linePos?.[0].line ?? 1, message: 'is not valid YAML' }])
    const parsed = Metadata.safeParse(document.toJS() ?? {})
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw loadError(this.path, [{ line: 1, field: issue!.path.join('.'), message: issue!.message }])
    }
    if (parsed.data.version > BOARD_VERSION) {
      throw new RalphError('unsupported_version', `${this.path} is of version ${parsed.data.version}`, {
        hint: `This ralph reads version ${BOARD_VERSION}. Update ralph-memory to read it.`,
      })
    }
    return { document, nextTaskId: parsed.data.next_task_id }
  }
}
