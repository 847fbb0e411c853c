import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function person() {
  const folder = await temporaryFolder()
  const [cwd, home] = [join(folder, 'shop'), join(folder, 'home')]
  makeCheckout(cwd)
  await mkdir(home)
  const lines = [1, 2, 3].map((number) =>
    JSON.stringify({
      conversation_id: `c${number}`,
      exchange_id: `e${number}`,
      user_message: `Why is okapi ${number} slow?`,
      assistant_message: `Because of cause ${number}.`,
    }),
  )
  await writeFile(join(cwd, 'history.jsonl'), lines.join('\n'))
  const ralph = (...args: string[]) => runRalph(args, { cwd, home })
  await ralph('conversations', 'import', '--format', 'jsonl', 'history.jsonl')
  return { ralph }
}

describe('conversations from the shell', { timeout: 120_000 }, () => {
  it('are listed, found, tagged, voted for and exported as data', async () => {
    const { ralph } = await person()
    const { json: listed } = await ralph('conversations', 'list', '--json')
    expect(listed).toMatchObject({ conversations: [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }] })
    const { json: found } = await ralph('conversations', 'search', 'okapi', 'slow', '--limit', '1', '--json')
    expect(found).toMatchObject({ results: [{ exchange: { user_message: expect.stringMatching(/okapi/) } }] })
    const tagged = await ralph('conversations', 'tag', 'add', 'Speed', 'c2', '--json')
    expect(tagged.json).toEqual({ conversation_id: 'c2', tags: ['speed'] })
    expect((await ralph('rag', 'upvote', 'e3', '--json')).json).toEqual({
      id: 'e3',
      kind: 'exchange',
      votes: 1,
    })
    const exported = await ralph('conversations', 'export', '--tag', 'speed')
    expect(JSON.parse(exported.stdout)).toMatchObject({ conversation_id: 'c2', tags: ['speed'] })
    expect((await ralph('workers', '--json')).json).toMatchObject({ summariser: 'extractive' })
  })

  it('say how a command is used, and do nothing that was not confirmed', async () => {
    const { ralph } = await person()
    expect(await ralph('rag', 'sideways')).toMatchObject({ code: 2 })
    expect(await ralph('conversations', 'search', 'okapi', '--limit', '0')).toMatchObject({ code: 2 })
    expect(await ralph('conversations', 'import', '--format', 'jsonl')).toMatchObject({ code: 2 })
    const refused = await ralph('conversations', 'forget', 'c1')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('with 1 exchange for good') })
    expect(await ralph('conversations', 'show', 'c1')).toMatchObject({ code: 0 })
    expect(await ralph('conversations', 'forget', 'c1', '--yes')).toMatchObject({ code: 0 })
    expect(await ralph('conversations', 'show', 'c1')).toMatchObject({ code: 1 })
  })
})
