import { describe, expect, test } from 'vitest'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { sessionOf, streamOf, testRecordings } from '../recorded-agent.ts'
import { exchangesOf } from '../told-exchanges.ts'
import { RECORDINGS } from './recordings.ts'

const session = (name: string) => sessionOf('pi', name, '.session')

describe('what the recordings of pi hold', () => {
  testRecordings('pi', RECORDINGS, '.session')
})

describe('beyond the table', () => {
  test.each([streamOf('pi', '03c-429-forever'), session('03c-429-forever')])(
    'an exit code of 0 is no success where the service failed four times',
    async (path) => {
      const run = await readTranscript(path, { process: { exitCode: 0 } })
      expect(run.ending).toBe('service_failed')
      expect(run.service).toEqual({
        cause: 'rate_limit',
        words: '429 Rate limit reached. Please try again in 1s.',
        passing: true,
      })
      expect(run.rateLimit.retries).toBe(3)
    },
  )

  test('a failed command tells its exit code first, and one that took too long says so', async () => {
    const { toolCalls } = await readTranscript(streamOf('pi', '02-mended'))
    const outputOf = (wanted: string) => toolCalls.find(({ command }) => command === wanted)?.output
    expect(outputOf('yarn-is-not-here test')).toBe(
      'Exit code 127\n/bin/bash: line 1: yarn-is-not-here: command not found',
    )
    expect(outputOf('sleep 5')).toBe('Command timed out after 1 seconds')
  })

  test('where, when and what for', async () => {
    expect(await readTranscript(streamOf('pi', '02-mended'))).toMatchObject({
      cwd: '/home/user/project',
      prompt: 'npm test fails. Find out why and mend it.',
      startedAt: '2026-11-16T17:16:27.355Z',
      endedAt: '2026-11-16T17:16:30.292Z',
    })
  })
})

describe('the conversations in session files', () => {
  test('each prompt of a person with its answer; what an extension adds is nobody’s', async () => {
    const exchanges = await exchangesOf(session('07-extension'))
    expect(exchanges).toMatchObject([
      {
        conversationId: '01a1e55d-732b-7641-a000-e6b3d35a0913',
        promptId: '6ebcc0ef-1794849469416',
        prompt: 'The cart tests fail. Fix them.',
        answer: 'Fixed.',
        interrupted: false,
      },
    ])
    expect(
      exchanges[0]!.steps.filter(({ role }) => role === 'tool_call').map(({ content }) => content),
    ).toEqual(['src/cart.js', 'npm test', 'src/cart.js', 'src/cart.js', 'rm -rf test'])
  })

  test('one that was killed has no answer', async () => {
    expect(await exchangesOf(session('04a-sigterm'))).toMatchObject([
      { prompt: 'Run the slow check.', answer: 'Now the slow check.', interrupted: true },
    ])
  })
})
