import { TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many attacks a case has tried; one, unless it says so. */
    tried?: number
  }
}

/** For a case that tries several attacks in turn: the table of attacks counts each of them. */
export function tried(count: number): void {
  const { meta } = TestRunner.getCurrentTest()!
  meta.tried = (meta.tried ?? 0) + count
}
