import type { Outline } from './outline.ts'

/** Which iterations touched which files: one row for each file, one column for each stretch of iterations. */
export interface FileMap {
  /** The most touched first. */
  files: { path: string; touches: number; cells: number[] }[]
  /** Numbers of the first and the last iteration of each column, and how many they are. */
  columns: { from: number; to: number; iterations: number }[]
  /** How many files were touched in all. */
  allFiles: number
}

/** The most touched files of the latest iterations against these; a cell tells how many of its iterations touched the file. */
export function fileMapOf(
  outline: Outline,
  { files: rows, columns, last }: { files: number; columns: number; last?: number | undefined },
): FileMap {
  const iterations = last === undefined ? outline.iterations : outline.iterations.slice(-last)
  const each = Math.max(1, Math.ceil(iterations.length / columns))
  const touches = new Map<number, number>()
  for (const { files } of iterations)
    for (const file of files) touches.set(file, (touches.get(file) ?? 0) + 1)
  const top = [...touches]
    .sort(([a, many], [b, more]) => more - many || a - b)
    .slice(0, rows)
    .map(([file]) => file)
  const width = Math.ceil(iterations.length / each)
  const cells = new Map(top.map((file) => [file, new Array<number>(width).fill(0)]))
  for (const [at, { files }] of iterations.entries()) {
    const column = Math.floor(at / each)
    for (const file of files) {
      const row = cells.get(file)
      if (row) row[column]!++
    }
  }
  return {
    files: top.map((file) => ({
      path: outline.paths[file]!,
      touches: touches.get(file)!,
      cells: cells.get(file)!,
    })),
    columns: Array.from({ length: width }, (_, at) => {
      const stretch = iterations.slice(at * each, (at + 1) * each)
      return { from: stretch[0]!.number, to: stretch.at(-1)!.number, iterations: stretch.length }
    }),
    allFiles: touches.size,
  }
}
