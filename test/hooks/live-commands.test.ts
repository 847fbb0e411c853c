import { describe, expect, it } from 'vitest'
import { LiveCommands } from '../../src/hooks/live-commands.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { temporaryFolder } from '../support/temporary.ts'

const NO_BUCKET = { signatures: ['no bucket'], message: 'No bucket' }
const DENIED = { signatures: ['denied'], message: 'Denied' }

/** Each hook is a process of its own: it knows only what is noted. */
async function session() {
  const notes = new SessionNotes(await temporaryFolder(), 's')
  return () => new LiveCommands(notes)
}

describe('the commands of a session', () => {
  it('count while they fail in the same way', async () => {
    const live = await session()
    for (const times of [1, 2, 3]) {
      live().started('deploy', './deploy')
      live().failed('deploy', NO_BUCKET)
      expect(live().failureOf('deploy')).toMatchObject({ ...NO_BUCKET, times })
    }
    live().started('deploy', './deploy')
    live().failed('deploy', DENIED)
    expect(live().failureOf('deploy')).toMatchObject({ ...DENIED, times: 1 })
    expect(live().failureOf('other')).toBeUndefined()
  })

  it('have worked when they ran and nobody saw them fail', async () => {
    const live = await session()
    live().started('deploy', './deploy')
    live().failed('deploy', NO_BUCKET)
    live().started('deploy', './deploy')
    expect(live().failureOf('deploy')).toBeUndefined()
    live().started('deploy', './deploy')
    live().failed('deploy', NO_BUCKET)
    expect(live().failureOf('deploy')).toMatchObject({ times: 1 })
  })

  it('may find something else after another one has run', async () => {
    const live = await session()
    live().started('deploy', './deploy')
    const before = Date.now() - 1
    expect(live().actedSince(before, 'deploy')).toBe(false)
    live().acted('src/a.ts')
    expect(live().actedSince(before, 'deploy')).toBe(true)
    expect(live().actedSince(Date.now() + 1, 'deploy')).toBe(false)
    expect(live().hasRun('deploy')).toBe(true)
    expect(live().hasRun('other')).toBe(false)
  })
})
