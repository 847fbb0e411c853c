import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

it('looks again for memory that was off at the start, and says when it is back', async () => {
  let looks = 0
  world.parts.ragStatus = async () => {
    const back = ++looks >= 3
    return { available: back, searchable: back, line: back ? 'RAG: active' : 'RAG: off' }
  }
  await world.tasks('pending', 'pending', 'pending', 'pending')
  await world.agent(`
    appendFileSync('prompts.txt', /search_feature_memory/.test(prompt) ? 'with tools\\n' : 'without\\n')
    setStatus('done'); end('Finished task ' + task + ' without trouble.')`)
  await world.loop()
  const lines = world.events.flatMap((event) => (event.kind === 'status' ? [event.line] : []))
  expect(lines).toEqual(['RAG: off', 'RAG: active'])
  expect(looks).toBe(3)
  const prompts = (await world.text('prompts.txt')).trim().split('\n')
  expect(prompts[0]).toBe('without')
  expect(prompts.at(-1)).toBe('with tools')
})
