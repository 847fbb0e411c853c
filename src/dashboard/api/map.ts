import { Hono } from 'hono'
import { MemoryMap } from '../../memory-map/memory-map.ts'
import { isOfRun } from '../../person.ts'
import type { DashboardContext } from '../context.ts'

/** All memories by meaning: near each other what means nearly the same. */
export function mapApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const { featureMemory, knowledge, conversations, notices, config } = ralph
  const map = new MemoryMap({
    ...{ featureMemory, knowledge, conversations, notices },
    cacheDir: config.paths.cache,
    inRun: () => isOfRun(config),
  })
  return new Hono()
    .get('/', async (c) => c.json(await map.draw()))
    .post('/rearrange', async (c) => c.json(await map.rearrange()))
}
