import { expect, it } from 'vitest'
import { snakeKeys } from '../../src/text/case.ts'
import { startPostgres } from '../stand-ins/postgres.ts'
import { failures, openKnowledge } from './setup.ts'

it('a checkpoint under which the database restarts loses nothing, and the next one finishes it', async () => {
  const server = await startPostgres()
  const opened = await openKnowledge(async () => ({
    target: { postgres: server.url },
    remove: () => server.remove(),
  }))
  await opened.knowledge.importJsonl(failures(250).map((entry) => JSON.stringify(snakeKeys(entry))))
  const { embed } = opened.embedder
  opened.embedder.embed = async (...asked) => {
    if (opened.embedder.usage.texts >= 150) await server.stop('immediate')
    return embed.apply(opened.embedder, asked)
  }
  await expect(opened.knowledge.checkpoint('manual')).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  })
  opened.embedder.embed = embed
  await server.start()
  const { entries, staged } = await opened.knowledge.statistics()
  expect(entries % 100).toBe(0)
  expect(entries + staged.elsewhere + staged.waiting).toBe(250)
  expect(await opened.knowledge.checkpoint('manual')).toMatchObject({ staged: { elsewhere: 0, waiting: 0 } })
  expect(await opened.knowledge.statistics()).toMatchObject({ entries: 250, successes: 250 })
})
