import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { claudeVersion } from '../../src/agent-config/claude-version.ts'
import { temporaryFolder } from '../support/temporary.ts'

afterEach(() => vi.unstubAllEnvs())

describe.skipIf(process.platform === 'win32')('the version of Claude Code (by a script for /bin/sh)', () => {
  it.each([
    ['echo "2.1.325 (Claude Code)"', '2.1.325'],
    ['echo "no such thing"', undefined],
    ['exit 1', undefined],
  ])('is what `claude --version` says: %s', async (does, expected) => {
    const folder = await temporaryFolder()
    writeFileSync(join(folder, 'claude'), `#!/bin/sh\n${does}\n`, { mode: 0o755 })
    vi.stubEnv('PATH', folder)
    expect(claudeVersion()).toBe(expected)
  })

  it('is unknown where there is none', async () => {
    vi.stubEnv('PATH', await temporaryFolder())
    expect(claudeVersion()).toBeUndefined()
  })
})
