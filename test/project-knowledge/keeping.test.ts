import { describe, expect, it } from 'vitest'
import { captureAll, DAY, failure, failures, LOGIN, type Opened, openKnowledge, STORAGES } from './setup.ts'

describe.each(STORAGES)('keeping project knowledge on %s', (_name, makeTarget) => {
  const open = () => openKnowledge(makeTarget)

  describe('retention', () => {
    const gone = async ({ knowledge }: Opened) => ({
      found: (await knowledge.queryForTask(LOGIN)).length,
      listed: (await knowledge.list()).entries.length,
      counted: (await knowledge.statistics()).entries,
    })

    it('shows an entry for a year, and not a day longer', async () => {
      const opened = await open()
      await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      opened.clock.now += 365 * DAY
      expect(await gone(opened)).toEqual({ found: 1, listed: 1, counted: 1 })
      opened.clock.now += DAY
      expect(await gone(opened)).toEqual({ found: 0, listed: 0, counted: 0 })
    })

    it('prune deletes what is past its year, from the database and from the index', async () => {
      const opened = await open()
      const [id] = await captureAll(opened, [failure()])
      await opened.knowledge.checkpoint('manual')
      opened.clock.now += 366 * DAY
      await captureAll(opened, failures(2))
      await opened.knowledge.checkpoint('manual')
      expect(await opened.knowledge.prune()).toBe(1)
      expect(await opened.knowledge.prune()).toBe(0)
      expect(await opened.index.read('project_knowledge', { ids: [id!] })).toEqual([])
      opened.clock.now -= 366 * DAY
      expect((await opened.knowledge.list()).entries).toHaveLength(2)
    })

    it('goes by the time of embedding, not of capture', async () => {
      const opened = await open()
      await opened.knowledge.capture(failure(), { capturedAt: '2020-01-01T00:00:00Z' })
      await opened.knowledge.checkpoint('manual')
      expect(await opened.knowledge.prune()).toBe(0)
      expect(await gone(opened)).toMatchObject({ found: 1 })
    })

    it('happens by itself at checkpoints, once a day', async () => {
      const opened = await open()
      await captureAll(opened, failures(4))
      await opened.knowledge.checkpoint('manual')
      const left = () => opened.storage.db.selectFrom('knowledge_entries').select('id').execute()
      const age = async (count: number) => {
        const rows = await left()
        const ids = rows.slice(0, count).map((row) => row.id)
        const embedded_at = opened.clock.now - 366 * DAY
        await opened.storage.db
          .updateTable('knowledge_entries')
          .set({ embedded_at })
          .where('id', 'in', ids)
          .execute()
      }
      await age(1)
      opened.clock.now += DAY / 2
      await opened.knowledge.checkpoint('manual')
      expect(await left()).toHaveLength(4)
      opened.clock.now += DAY
      await opened.knowledge.checkpoint('manual')
      expect(await left()).toHaveLength(3)
    })

    it('deletes nothing because a clock jumped: neither ahead and back, nor back', async () => {
      const opened = await open()
      await captureAll(opened, failures(3))
      await opened.knowledge.checkpoint('manual')
      for (const jump of [3_000 * DAY, -3_000 * DAY, -6_000 * DAY, 6_000 * DAY]) {
        opened.clock.now += jump
        await opened.knowledge.checkpoint('manual')
      }
      opened.clock.now += DAY
      await opened.knowledge.checkpoint('manual')
      expect((await opened.knowledge.list()).entries).toHaveLength(3)
    })
  })

  describe('list, show, forget', () => {
    it('pages through entries, the newest first, filtered', async () => {
      const opened = await open()
      for (const entry of failures(25)) {
        opened.clock.now += 1_000
        await opened.knowledge.capture(entry)
      }
      await opened.knowledge.capture(failure({ project: 'bank', technology: 'React' }))
      await opened.knowledge.checkpoint('manual')
      const seen: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await opened.knowledge.list({ project: 'shop', limit: 10, after })
        seen.push(...page.entries.map(({ capturedAt }) => capturedAt))
        if (page.next === undefined) break
        after = page.next
      }
      expect(seen).toHaveLength(25)
      expect(seen).toEqual(seen.toSorted().reverse())
      expect((await opened.knowledge.list({ technology: 'rEACT ' })).entries).toMatchObject([
        { project: 'bank' },
      ])
      await expect(opened.knowledge.list({ after: 'nonsense' })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    })

    it('shows and forgets by the beginning of an id', async () => {
      const opened = await open()
      const [staged, embedded] = await captureAll(opened, failures(2))
      await opened.storage.db
        .updateTable('knowledge_staging')
        .set({ verified: 0 })
        .where('id', '=', staged!)
        .execute()
      await opened.knowledge.checkpoint('manual')
      expect(await opened.knowledge.show(staged!.slice(0, 12))).toMatchObject({ state: 'staged' })
      expect(await opened.knowledge.show(embedded!.slice(0, 12))).toMatchObject({ state: 'embedded' })
      await opened.knowledge.forget(staged!.slice(0, 12))
      await opened.knowledge.forget(embedded!)
      expect(await opened.index.read('project_knowledge', { ids: [embedded!] })).toEqual([])
      for (const id of [staged!, embedded!, 'no-id', '%', '']) {
        await expect(opened.knowledge.show(id)).rejects.toMatchObject({ code: 'not_found' })
      }
    })
  })

  describe('import and export', () => {
    const lines = async (opened: Opened) => {
      const all: string[] = []
      for await (const line of opened.knowledge.exportJsonl()) all.push(line)
      return all
    }

    it('move everything, and importing twice changes nothing', async () => {
      const here = await open()
      await captureAll(here, [failure(), failure({ project: 'bank' }), ...failures(3)])
      await here.knowledge.checkpoint('manual')
      await captureAll(here, [
        {
          kind: 'gate_approval',
          project: 'shop',
          gateType: 'design',
          approvedApproach: 'one page, no modal',
        },
      ])
      const there = await open()
      const exported = await lines(here)
      expect(await there.knowledge.importJsonl(exported)).toEqual({ imported: 5, known: 0, rejected: [] })
      expect(await there.knowledge.importJsonl(exported)).toEqual({ imported: 0, known: 5, rejected: [] })
      await there.knowledge.checkpoint('manual')
      expect(await there.knowledge.importJsonl(exported)).toEqual({ imported: 0, known: 5, rejected: [] })
      expect(await there.knowledge.statistics()).toMatchObject({ entries: 5, successes: 6 })
      expect((await there.knowledge.queryForTask(LOGIN))[0]).toMatchObject({ successCount: 2 })
    })

    it('take the fields of any file, count no repetition, and report bad lines by number', async () => {
      const opened = await open()
      const line = JSON.stringify({
        entry_type: 'failure_solution',
        project_id: 'elsewhere',
        failure_description: 'build breaks on windows',
        solution_steps: ['use forward slashes', 'run it again'],
        success_verified: true,
        timestamp: '2024-05-06T07:08:09Z',
      })
      const result = await opened.knowledge.importJsonl([
        line,
        '',
        line,
        '{"kind":"failure_solution"',
        '[1]',
        '{"kind":"poem","project":"x"}',
        '{"kind":"gate_approval","project":"x","approved_approach":"y"}',
        '{"kind":"gate_approval","gate_type":"design","approved_approach":"y"}',
        '{"kind":"gate_approval","project":"x","gate_type":"design","approved_approach":"y","success_count":-3}',
        '{"kind":"gate_approval","project":"x","gate_type":"design","approved_approach":"y","id":"7"}',
      ])
      expect(result).toMatchObject({ imported: 1, known: 1 })
      expect(result.rejected).toMatchObject([
        { line: 4, reason: 'not JSON' },
        { line: 5, reason: expect.stringContaining('kind is missing') },
        { line: 6, reason: expect.stringContaining('unknown kind "poem"') },
        { line: 7, reason: expect.stringContaining('gate_type is missing') },
        { line: 8, reason: expect.stringContaining('project is missing') },
        { line: 9, reason: expect.stringContaining('success_count') },
        { line: 10, reason: expect.stringContaining('UUID') },
      ])
      await opened.knowledge.checkpoint('manual')
      expect((await opened.knowledge.list()).entries).toMatchObject([
        {
          project: 'elsewhere',
          successCount: 1,
          solutionSteps: 'use forward slashes\nrun it again',
          capturedAt: '2024-05-06T07:08:09.000Z',
        },
      ])
    })

    it('fill in the project for lines that name none', async () => {
      const opened = await open()
      const line = '{"kind":"gate_approval","gate_type":"design","approved_approach":"y"}'
      expect(await opened.knowledge.importJsonl([line], { project: 'mine' })).toMatchObject({ imported: 1 })
      expect((await opened.knowledge.staged()).entries).toMatchObject([{ project: 'mine' }])
    })
  })
})
