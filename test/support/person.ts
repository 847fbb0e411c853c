import type { Person } from '../../src/identity/person.ts'

/** Whose everything is where a test has nobody else. */
export const SOMEBODY: Person = { id: 'somebody', name: 'somebody' }
