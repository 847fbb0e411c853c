import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openBoard } from '../../src/board/board.ts'

export const FEATURES = `# Ask Ann before you rename anything.
features:
  - name: auth            # the gate
    display_name: Sign-in
    description: >
      Lets people in.
    architecture: Sessions in Redis.
    boundaries: |
      In: passwords.
      Out: payments.
    learnings:
      - Never log the token   # Ann, after the incident
      - text: The form posts JSON
        reason: seen in the network log
        source: auto
        iteration: 3
        hit_count: 2
      - text: Redis needs a password in tests
        reason: the tests failed without
        source: agent
      - text: Use argon2
        reason: bcrypt was refused
        source: auto
        iteration: 4

  # Money. Careful!
  - name: payments
    description: Takes money.
    learnings:
      - Stripe is mocked
`
export const TASKS = `tasks:
  - id: 1
    title: Build the form
    description: With validation.
    acceptance_criteria: [tests pass]
    feature: auth
    status: pending

  # waits for design
  - id: 2
    title: Send the mail
    feature: auth
    comments:
      - first
      - second
      - third
  - id: 3
    title: Charge the card   # Bob's
    feature: payments
    blocked_by: [1]
`
export const DISCIPLINES = `disciplines:
  - name: backend
    system_prompt: Be careful.
`
export const METADATA = 'schema_version: 1\nnext_task_id: 4\n'

export type GuardedBoard = Awaited<ReturnType<typeof guardedBoard>>

/** A board in a folder of its own, and an agent that edits its files. */
export async function guardedBoard() {
  const root = await mkdtemp(join(tmpdir(), 'guard-'))
  const put = (name: string, text: string | Uint8Array) => writeFile(join(root, 'db', name), text)
  const text = (name: string) => readFile(join(root, 'db', name), 'utf8')
  await mkdir(join(root, 'db'))
  await put('features.yaml', FEATURES)
  await put('tasks.yaml', TASKS)
  await put('disciplines.yaml', DISCIPLINES)
  await put('metadata.yaml', METADATA)
  const board = openBoard({ dir: join(root, 'db'), cacheDir: join(root, 'cache') })
  return {
    root,
    board,
    put,
    text,
    /** An iteration on task 1 of `auth` in which the agent does `edit`. */
    iteration: async (edit: () => Promise<unknown>, feature: string | null = 'auth'): Promise<string[]> => {
      const snapshot = await board.guard.snapshot()
      await edit()
      return (await board.guard.check(snapshot, { feature: feature ?? undefined, task: 1 })).undone
    },
    agentWrites: (name: string, from: string, to: string) => async () => {
      const before = await text(name)
      expect(before).toContain(from)
      await put(name, before.replace(from, to))
    },
    close: () => rm(root, { recursive: true, force: true }),
  }
}
