/** What a check of the package found wrong, and what to do about it. */
export interface Finding {
  wrong: string
  todo: string
}

/** What a check says when all is well, and what it found otherwise. */
export interface Checked {
  said: string
  found: readonly Finding[]
  /** Nothing was found because nothing could be asked. */
  unasked?: boolean
}

/** Prints it; true if nothing is wrong. */
export function report({ said, found, unasked = false }: Checked): boolean {
  if (found.length === 0) console.log(`${unasked ? '?' : '✓'} ${said}`)
  for (const { wrong, todo } of found) console.error(`✗ ${wrong}\n  → ${todo}`)
  return found.length === 0
}
