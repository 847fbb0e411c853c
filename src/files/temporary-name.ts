import { randomUUID } from 'node:crypto'

/** No two writers share one, in this process or another. */
export function temporaryBeside(path: string): string {
  return `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`
}
