import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anchorsIn, checkAnchors, projectFileHasher } from '../../src/learnings/anchors.ts'
import { temporaryFolder } from '../support/temporary.ts'

const [composed, apart] = ['caf\u00e9.ts', 'cafe\u0301.ts']

it.each([
  [composed, apart],
  [apart, composed],
  [apart, apart],
])(
  'hangs on a file with an accent, however the disk and the learning spell it: %j, %j',
  async (stored, named) => {
    const project = await temporaryFolder()
    const hash = projectFileHasher(project)
    writeFileSync(join(project, stored), 'first')
    const anchors = await anchorsIn('reads the menu', [named], hash)
    expect(await checkAnchors(anchors, hash)).toEqual([{ path: named, state: 'unchanged' }])
    writeFileSync(join(project, stored), 'second')
    expect(await checkAnchors(anchors, hash)).toEqual([{ path: named, state: 'changed' }])
  },
)
