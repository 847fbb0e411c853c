import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A project with one learning, and an editor that does with its file what a script says. */
async function edited(script: string) {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const editor = join(folder, 'editor.mjs')
  writeFileSync(
    editor,
    `import { readFileSync, writeFileSync } from 'node:fs'
const file = process.argv.at(-1)
const text = readFileSync(file, 'utf8')
${script}`,
  )
  const env = { EDITOR: `${process.execPath} ${editor}`, VISUAL: '' }
  const at = (...words: string[]) => saidBy(words, { cwd: project, home, env })
  await at('learnings', 'add', 'Amounts are kept in cents', '--feature', 'auth', '--reason', 'a sum was off')
  const list = async () => JSON.parse((await at('learnings', 'list', '--feature', 'auth', '--json')).stdout)
  const { learnings } = (await list()) as { learnings: { id: string }[] }
  return { at, id: learnings[0]!.id, list }
}

function atTerminal(): void {
  for (const stream of [process.stdin, process.stderr] as { isTTY?: boolean }[]) {
    const { isTTY } = stream
    stream.isTTY = true
    onTestFinished(() => void Object.assign(stream, { isTTY }))
  }
}

describe('a learning in a person’s own words', () => {
  it('is asked for in the editor at a terminal, with what it says and why', async () => {
    const script = `writeFileSync(file, text.replace('in cents', 'in whole cents').replace('a sum was off', 'two sums were off'))`
    const { at, id, list } = await edited(script)
    atTerminal()
    const { code, stdout } = await at('learnings', 'edit', `l-${id.slice(0, 5)}`)
    expect([code, stdout]).toEqual([0, expect.stringContaining('Amounts are kept in whole cents')])
    expect(await list()).toMatchObject({
      learnings: [{ text: 'Amounts are kept in whole cents', reason: 'two sums were off', reviewed: true }],
    })
  })

  it.each([
    ['the editor fails', 'process.exit(3)', /ended with 3: nothing was changed/],
    ['nothing is left', `writeFileSync(file, '# nothing\\nbecause: of that')`, /the text is empty/],
    ['nothing is changed', '', /nothing would change/],
  ])('is left as it is when %s', async (_, script, message) => {
    const { at, id, list } = await edited(script)
    const before = await list()
    atTerminal()
    const { code, stderr } = await at('learnings', 'edit', id)
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect(await list()).toEqual(before)
  })

  it('is to be given where nobody can be asked', async () => {
    const { at, id } = await edited('process.exit(9)')
    expect(await at('learnings', 'edit', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--text'),
    })
  })
})
