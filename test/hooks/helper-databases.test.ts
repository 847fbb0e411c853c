import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { askHelper } from '../../src/hooks/ask-helper.ts'
import { serveHelper } from '../../src/hooks/helper.ts'
import { dismissHelper } from '../../src/hooks/helper-address.ts'
import { keptIn } from '../../src/hooks/kept-in.ts'
import { openRalph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const TEAM = { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: 'postgres://team.invalid/ralph' }

it('tells nobody what is kept in another database, although one helper serves all projects of a home folder', async () => {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  const [shop, bank] = ['shop', 'bank'].map((name) => join(folder, name)) as [string, string]
  for (const project of [shop, bank]) mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project: shop, home, env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  for (const id of ['one', 'two'])
    await ralph.conversations.record({
      ...{ conversationId: `about ${id}`, userMessage: 'Why is the session cookie lost after the redirect?' },
      assistantMessage: 'The session cookie is lost because nobody sets it after the redirect.',
    })
  const served = serveHelper(ralph)
  onTestFinished(async () => {
    dismissHelper(home)
    await served
  })
  const told = async (project: string, settings: Record<string, string>) => {
    const config = await resolveConfig({ project, home, env: { ...env, ...settings } })
    const prompt = 'why is the session cookie lost after the redirect'
    const question = { prompt, excluding: [], keptIn: keptIn(config), project }
    return (await askHelper(home, question))?.conversations.length
  }
  await expect.poll(() => told(shop, {})).toBeGreaterThan(0)
  // The same database, from another project.
  expect(await told(bank, {})).toBeGreaterThan(0)
  expect(await told(bank, TEAM)).toBe(0)
  expect(await told(shop, { RALPH_USER: 'somebody-else' })).toBe(0)
})
