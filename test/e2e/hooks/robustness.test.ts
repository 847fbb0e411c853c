import { appendFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factsDir } from '../../../src/hooks/places.ts'
import { countSilences } from '../../../src/hooks/silence.ts'
import { BASH, READ, TEST_FAILED, world } from '../../hooks/support.ts'

describe('whatever happens, the session goes on', { timeout: 120_000 }, () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['half of it', '{"session_id": "x", "hook_event'],
    ['null', 'null'],
    ['a list', '[]'],
    ['wrong types', '{"session_id": 5, "cwd": {}, "hook_event_name": "Stop"}'],
    ['an unknown event', '{"session_id": "x", "cwd": "/", "hook_event_name": "constructor"}'],
    [
      'a folder that is gone',
      '{"session_id": "x", "cwd": "/no/such/folder", "hook_event_name": "SessionStart"}',
    ],
    [
      'a session id that is a path',
      '{"session_id": "../../../../tmp/x", "cwd": "/", "hook_event_name": "Stop"}',
    ],
    ['ten megabytes', `{"x": "${'a'.repeat(10_000_000)}"}`],
  ])('when it is given %s', async (_, input) => {
    const { hook } = await world([TEST_FAILED])
    expect(await hook('SessionStart', {}, { input })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })

  it('when settings, journal, cache and board are broken', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    await hook('SessionStart', { source: 'startup', session_id: 'a' })
    await writeFile(join(factsDir(ralph.config), 'features', 'auth.json'), '{"version": 2, "erro')
    await writeFile(join(factsDir(ralph.config), 'project.json'), '[')
    await appendFile(join(ralph.config.paths.memory, 'auth.jsonl'), 'garbage\n{"version":1,"record":{}}\n')
    await writeFile(join(project, '.ralph/db/features.yaml'), 'features: [}')
    const read = READ(join(project, 'src/pay.ts'))
    expect((await hook('PreToolUse', read)).context).toContain('expected 100 to be 120')
    await writeFile(join(project, '.ralph/rag_config.json'), '{')
    expect(await hook('PreToolUse', { ...read, session_id: 'b' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('when it takes too long', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const env = { RALPH_HOOK_DEADLINE_MS: '1' }
    const result = await hook('PreToolUse', READ(join(project, 'src/pay.ts')), { env })
    expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(countSilences(ralph.config)).toMatchObject({ late: 1, failed: 0 })
  })

  it('and a project without memory stays as it was', async () => {
    const { hook, project } = await world()
    await rm(join(project, '.ralph'), { recursive: true })
    for (const event of [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUseFailure',
      'Stop',
      'SessionEnd',
    ]) {
      expect(await hook(event, { source: 'startup', prompt: 'hi', ...BASH('npm run tset') })).toMatchObject({
        code: 0,
        stdout: '',
      })
    }
    expect(await readdir(project)).toEqual(['.git'])
  })
})
