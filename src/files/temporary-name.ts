/** No two writers share one, in this process or another. */
export function temporaryBeside(path: string): string {
  return `${path}.${process.pid}-${crypto.randomUUID().slice(0, 8)}.tmp`
}

/** The process that made a name as above, for this file or, where none is named, for any. */
export function writerOf(name: string, file = ''): number | undefined {
  const [, written = '', pid] = /^(.+)\.(\d+)-[0-9a-f]{8}\.tmp$/.exec(name) ?? []
  return pid !== undefined && (file === '' || file === written) ? Number(pid) : undefined
}
