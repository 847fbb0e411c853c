import type { Outline } from './outline.ts'

/** Which iterations touched which files. */
export interface FileMap {
  /** The most touched first. */
  files: {
    path: string
    /** The numbers of the iterations that touched it, oldest first. */
    iterations: number[]
  }[]
  /** Numbers of the first and the last iteration that were looked at; absent without any. */
  from?: number
  to?: number
  /** How many files these touched in all. */
  allFiles: number
}

/** The most touched files of all iterations, or of the last so many. */
export function fileMapOf(
  outline: Outline,
  { most, last }: { most: number; last?: number | undefined },
): FileMap {
  const iterations = last === undefined ? outline.iterations : outline.iterations.slice(-last)
  const touches = new Map<number, number[]>()
  for (const { number, files } of iterations) {
    for (const file of files) {
      const known = touches.get(file)
      if (known) known.push(number)
      else touches.set(file, [number])
    }
  }
  const top = [...touches].sort(([a, few], [b, many]) => many.length - few.length || a - b).slice(0, most)
  const numbers = iterations.map(({ number }) => number)
  return {
    files: top.map(([file, touching]) => ({ path: outline.paths[file]!, iterations: touching })),
    ...(numbers.length > 0 && { from: least(numbers), to: greatest(numbers) }),
    allFiles: touches.size,
  }
}

/** By reduction: a call with 100,000 arguments is one too many. */
function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b))
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b))
}
