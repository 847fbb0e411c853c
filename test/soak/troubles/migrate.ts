import { setTimeout as sleep } from 'node:timers/promises'
import { noPostgres, startPostgres } from '../../stand-ins/postgres.ts'
import { Book } from '../core/book.ts'
import { start } from '../core/children.ts'
import { embedderFor } from '../core/embedder.ts'
import { settled, skipped, type Trial } from '../core/trial.ts'
import { makeWorld, openProduct } from '../core/world.ts'
import { pathOf } from '../core/write-path.ts'

const KILLS = 12
const PATHS = ['conversations', 'knowledge'] as const

/** A move to PostgreSQL that is killed again and again, and goes on where it stopped. */
export const migrate: Trial = {
  name: 'migrate',
  what: 'moving what is stored to PostgreSQL, killed on the way',
  share: 2,
  async run({ folder, random, writes, signal, progress }) {
    if (noPostgres !== undefined) return skipped(migrate, noPostgres)
    const paths = await Promise.all(PATHS.map(pathOf))
    await using embedder = await embedderFor(paths)
    const world = makeWorld(folder, embedder.env)
    const book = new Book()
    const ralph = await openProduct(world)
    for (let number = 0; book.acknowledged.size < writes && !signal.aborted; number++) {
      const path = paths[number % paths.length]!
      const id = `w0${path.name}n${number}`
      book.hear(`try ${id}`)
      await path.write(ralph, id, { world, acknowledge: (other) => book.hear(`ok ${other}`) })
      book.hear(`ok ${id}`)
      progress(book.acknowledged.size)
    }
    await ralph.close()
    const server = await startPostgres()
    try {
      const order = JSON.stringify({ world, url: server.url })
      const said: string[] = []
      const move = () => start('test/soak/troubles/migrate-process.ts', [order], (line) => said.push(line))
      let kills = 0
      for (; kills < KILLS && !signal.aborted && said.length === 0; kills++) {
        const child = move()
        await Promise.race([child.ended, sleep(random.between(50, 1_500))])
        child.process.kill('SIGKILL')
        await child.ended
      }
      const last = move()
      await last.ended
      const verified = said.at(-1) === 'verified'
      const failures = verified ? [] : [`the move says ${said.at(-1) ?? last.errors()}`]
      const env = { ...world.env, RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: server.url }
      return await settled(
        { name: migrate.name, what: migrate.what, world: { ...world, env }, random, failures },
        paths,
        { book, kills, crashed: [] },
      )
    } finally {
      await server.remove()
    }
  },
}
