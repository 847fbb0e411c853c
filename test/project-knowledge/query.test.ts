import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { captureAll, failure, failures, LOGIN, openKnowledge, STORAGES } from './setup.ts'

describe.each(STORAGES)('asking project knowledge on %s', (_name, makeTarget) => {
  const open = () => openKnowledge(makeTarget)

  describe('query', () => {
    it('finds by agent type, task type and technology, and what was filed under none', async () => {
      const opened = await open()
      await captureAll(opened, [
        failure({ technology: 'react', agentType: 'frontend' }),
        failure({
          technology: 'Django',
          agentType: 'backend',
          solutionSteps: 'set SESSION_COOKIE_AGE in the settings',
        }),
        failure({ solutionSteps: 'retry the flaky step once more with a fresh browser' }),
      ])
      await opened.knowledge.checkpoint('manual')
      const solutions = async (filters: object) =>
        (await opened.knowledge.queryForTask({ ...LOGIN, ...filters }))
          .map(({ solution }) => solution)
          .toSorted()
      expect(await solutions({})).toHaveLength(3)
      expect(await solutions({ technology: 'django' })).toEqual([
        'retry the flaky step once more with a fresh browser',
        'set SESSION_COOKIE_AGE in the settings',
      ])
      expect(await solutions({ technology: ' DJANGO ' })).toEqual(await solutions({ technology: 'django' }))
      expect(await solutions({ agentType: 'Frontend', technology: '' })).toHaveLength(2)
      expect(await solutions({ technology: 'cobol' })).toEqual([
        'retry the flaky step once more with a fresh browser',
      ])
    })

    it('for a failure looks at failures only', async () => {
      const opened = await open()
      await captureAll(opened, [
        failure(),
        {
          kind: 'gate_rejection',
          project: 'shop',
          gateType: 'code review',
          humanFeedback: 'login test times out waiting for the session cookie: fix it',
        },
      ])
      await opened.knowledge.checkpoint('manual')
      const found = await opened.knowledge.queryForFailure({
        ...LOGIN,
        error: 'Error: timeout of 5000ms exceeded',
      })
      expect(found.map(({ kind }) => kind)).toEqual(['failure_solution'])
      expect(await opened.knowledge.queryForTask(LOGIN)).toHaveLength(2)
    })

    it('answers nothing rather than something unrelated', async () => {
      const opened = await open()
      await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      expect(
        await opened.knowledge.queryForTask({ description: 'draw a pie chart of quarterly revenue' }),
      ).toEqual([])
    })

    it('refuses an empty question and impossible options', async () => {
      const { knowledge } = await open()
      const wrong = { code: 'invalid_input' }
      await expect(async () => knowledge.queryForTask({ description: ' \u0000 ' })).rejects.toMatchObject(
        wrong,
      )
      await expect(async () =>
        knowledge.queryForFailure({ description: '', error: '' }),
      ).rejects.toMatchObject(wrong)
      await expect(knowledge.queryForTask(LOGIN, { limit: 0 })).rejects.toMatchObject(wrong)
      await expect(knowledge.queryForTask(LOGIN, { minScore: 7 })).rejects.toMatchObject(wrong)
    })

    it('goes on by words when the embedder is down, says so once, and recovers', async () => {
      const opened = await open()
      await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      opened.embedder.down = true
      expect(await opened.knowledge.queryForTask(LOGIN)).toMatchObject([{ matched: ['words'] }])
      await opened.knowledge.queryForTask(LOGIN)
      expect(opened.notices).toHaveLength(1)
      expect(opened.notices[0]).toMatchObject({ hint: 'start it' })
      opened.embedder.down = false
      expect((await opened.knowledge.queryForTask(LOGIN))[0]?.matched).toContain('meaning')
    })

    it('gives no patterns and one line when the database is gone', async () => {
      const opened = await open()
      await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      opened.storage.db.selectFrom = () => {
        throw new RalphError('unavailable', 'the database is away', { hint: 'start it' })
      }
      expect(await opened.knowledge.queryForTask(LOGIN)).toEqual([])
      expect(await opened.knowledge.contextFor(LOGIN)).toBeUndefined()
      expect(opened.notices).toMatchObject([
        { message: expect.stringContaining('the database is away'), hint: 'start it' },
      ])
    })
  })

  describe('the index is disposable', () => {
    it('made by another model: words only until the next checkpoint, which embeds everything again', async () => {
      const opened = await open()
      await captureAll(opened, [failure(), ...failures(20)])
      await opened.knowledge.checkpoint('manual')
      const other = await opened.again(new FakeEmbedder('other'))
      expect(await other.knowledge.queryForTask(LOGIN)).toMatchObject([{ matched: ['words'] }])
      expect(other.notices).toMatchObject([{ hint: 'ralph knowledge checkpoint' }])
      const phases = new Set<string>()
      const result = await other.knowledge.checkpoint('manual', {
        onProgress: ({ phase }) => phases.add(phase),
      })
      expect(result).toMatchObject({ reembedded: 21, embedded: 0 })
      expect(phases).toEqual(new Set(['levelling']))
      const third = await opened.again(new FakeEmbedder('other'))
      expect((await third.knowledge.queryForTask(LOGIN))[0]?.matched).toContain('meaning')
    })

    it('lost: made again by the next checkpoint', async () => {
      const opened = await open()
      await captureAll(opened, [failure(), ...failures(9)])
      await opened.knowledge.checkpoint('manual')
      await opened.index.close()
      for (const ending of ['', '-wal', '-shm']) rmSync(`${opened.indexPath}${ending}`, { force: true })
      const again = await opened.again()
      expect(await again.knowledge.checkpoint('manual')).toMatchObject({ reembedded: 10 })
      expect(await again.knowledge.queryForTask(LOGIN)).toHaveLength(1)
    })
  })

  describe('ranking that learns', () => {
    it('a pattern that misleads sinks, and is set aside when it keeps misleading', async () => {
      const opened = await open()
      await captureAll(opened, [
        failure({ solutionSteps: 'wait for the redirect before the cookie is read' }),
        failure({ solutionSteps: 'raise the limit of the test runner to a minute' }),
      ])
      await opened.knowledge.checkpoint('manual')
      const order = async () => (await opened.knowledge.queryForTask(LOGIN)).map(({ id }) => id)
      const [first, second] = await order()
      const tell = async (outcome: 'succeeded' | 'failed', pattern: string) => {
        const injection = await opened.knowledge.recordInjection({
          project: 'shop',
          task: '7',
          patterns: [pattern],
        })
        expect(await opened.knowledge.recordOutcome(injection, outcome)).toBe('counted')
        expect(await opened.knowledge.recordOutcome(injection, outcome)).toBe('already')
      }
      await tell('failed', first!)
      expect(await order()).toEqual([second, first])
      await tell('succeeded', first!)
      await tell('succeeded', first!)
      expect(await order()).toEqual([first, second])
      for (let times = 0; times < 6; times++) await tell('failed', second!)
      const patterns = await opened.knowledge.queryForTask(LOGIN)
      expect(patterns.map(({ setAside }) => setAside)).toEqual([false, true])
      expect(patterns[1]?.rank.factors.find(({ name }) => name === 'experience')).toMatchObject({
        because: 'after being shown: 0 succeeded, 6 failed',
      })
      const context = await opened.knowledge.contextWithSources(LOGIN)
      expect(context?.patterns.map(({ id }) => id)).toEqual([first])
    })

    it('knows nothing of an injection that was never recorded, or of entries that were forgotten', async () => {
      const opened = await open()
      expect(await opened.knowledge.recordOutcome('nobody', 'failed')).toBe('unknown')
      const [id] = await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      const injection = await opened.knowledge.recordInjection({
        project: 'shop',
        task: '7',
        patterns: [id!, 'gone'],
      })
      await opened.knowledge.forget(id!)
      expect(await opened.knowledge.recordOutcome(injection, 'failed')).toBe('unknown')
      expect(() => opened.knowledge.recordOutcome(injection, 'maybe' as 'failed')).toThrow(/unknown outcome/)
    })
  })
})
