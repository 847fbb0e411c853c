import { readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const demo = fileURLToPath(new URL('../../demo', import.meta.url))
let cwd: string
let home: string
beforeEach(async () => {
  const folder = await temporaryFolder()
  cwd = join(folder, 'shop')
  home = join(folder, 'home')
  await cp(join(demo, 'project'), cwd, { recursive: true })
})

const ralph = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runRalph(args, { cwd, home, env: { RALPH_EMBEDDER: 'none', ...env } })
const inRun = (...args: string[]) => ralph(args, { RALPH_LOOP_RUN: 'run-1' })

/** A gate that waits, and a learning that nobody has reviewed. */
async function undecided(): Promise<{ gate: string; learning: string }> {
  const { gate } = (await ralph(['gate', 'request', '2', '--gate-type', 'review', '--json'])).json as {
    gate: { id: string }
  }
  const feature = ['--feature', 'checkout', '--reason', 'seen', '--source', 'agent', '--json']
  const added = await ralph(['learnings', 'add', 'Prices are in cents', ...feature])
  expect(added).toMatchObject({ code: 0 })
  const { learnings } = (await ralph(['learnings', 'list', '--feature', 'checkout', '--json'])).json as {
    learnings: { id: string; text: string }[]
  }
  return { gate: gate.id, learning: learnings.find(({ text }) => text.includes('cents'))!.id }
}

describe('inside a run', { timeout: 300_000 }, () => {
  it('nothing is decided and project knowledge is not asked, in one line with the next step', async () => {
    const { gate, learning } = await undecided()
    const feature = ['--feature', 'checkout']
    const decisions = [
      ['gate', 'approve', gate, '--by', 'Ann'],
      ['gate', 'reject', gate, '--feedback', 'no'],
      ['learnings', 'review', learning, ...feature],
      ['learnings', 'review', learning, '--keep-this', ...feature],
      ['learnings', 'remove', learning, ...feature],
      ['learnings', 'edit', learning, '--text', 'Prices are in euros', ...feature],
      ['undo'],
      ['learnings', 'add', 'Trust me', '--reason', 'x', '--source', 'human', ...feature],
      ['knowledge', 'query', 'anything'],
      ['knowledge', 'context', 'anything'],
      ['knowledge', 'list'],
      ['knowledge', 'export'],
      ['knowledge', 'capture', '--kind', 'gate_approval', '--gate-type', 'x', '--approach', 'mine'],
      ['knowledge', 'capture', '--kind', 'failure_solution', '--failure', 'x', '--solution', 'y'],
    ]
    for (const decision of decisions) {
      const refused = await inRun(...decision)
      expect(refused, decision.join(' ')).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(
        /^(?:> )?error: an agent cannot .*\n(?:> | {2})→ Run it in a terminal of your own.*\n$/,
      )
    }
    expect((await ralph(['gate', '--json'])).json).toMatchObject({ gates: [{ id: gate }] })
    const listed = await ralph(['learnings', 'show', learning, ...feature, '--json'])
    expect(listed.json).toMatchObject({ learning: { reviewed: false, source: 'agent' } })
    // What is an agent's to say it may say, as its own.
    await inRun('learnings', 'add', 'The cart forgets its voucher', '--reason', 'seen', ...feature)
    expect((await ralph(['learnings', 'list', ...feature, '--json'])).stdout).toMatch(
      /forgets its voucher[^}]*"source": ?"agent"/,
    )
  })

  it.skipIf(process.platform !== 'linux')(
    'it makes no difference what an agent takes out of its environment, and whom it leaves behind',
    async () => {
      const { gate } = await undecided()
      const command = await builtCommand()
      const approve = `${process.execPath} ${command} gate approve ${gate}`
      const clean = `env -i PATH="$PATH" HOME="${home}" RALPH_HOME="${home}"`
      // Each writes what it was told to a file of its own; the last ones outlive whoever started them.
      const ways = {
        'no mark': `env -u RALPH_LOOP_RUN -u RALPH_FEATURE RALPH_HOME="${home}" ${approve}`,
        'no environment': `${clean} ${approve}`,
        'a session of its own': `${clean} setsid --wait ${approve}`,
        'a script': `printf '%s\\n' '${clean.replaceAll('$PATH', process.env['PATH']!)} ${approve}' > way.sh; sh way.sh`,
      }
      const orphans = {
        'an orphan': `(${clean} setsid sh -c '${approve} >orphan.txt 2>&1; echo over >>orphan.txt' >/dev/null 2>&1 &)`,
        'an orphan without a terminal': `(${clean} nohup sh -c '${approve} >nohup.txt 2>&1; echo over >>nohup.txt' >/dev/null 2>&1 &)`,
      }
      const script = [
        ...Object.entries(ways).map(
          ([name, way]) => `echo "== ${name}" >>told.txt; ( ${way} ) >>told.txt 2>&1`,
        ),
        ...Object.values(orphans),
        // Until they have had their answer, however slow the machine.
        'i=0; while [ $i -lt 1500 ]; do grep -qs over orphan.txt && grep -qs over nohup.txt && break; sleep 0.1; i=$((i+1)); done',
      ].join('\n')
      await writeFile(join(cwd, 'way-out.sh'), script)
      const agent = join(cwd, 'agent.mjs')
      await writeFile(
        agent,
        `import { spawnSync } from 'node:child_process'
         for await (const _ of process.stdin);
         const say = (event) => console.log(JSON.stringify(event))
         say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'm', tools: [] })
         spawnSync('sh', ['way-out.sh'], { stdio: 'ignore' })
         say({ type: 'result', subtype: 'success', is_error: false, result: 'Tried it.', total_cost_usd: 0.01 })`,
      )
      await ralph(['loop', '--once', '--agent', `"${process.execPath}" "${agent}"`])
      const told = (await readFile(join(cwd, 'told.txt'), 'utf8')).split('== ').slice(1)
      expect(told).toHaveLength(Object.keys(ways).length)
      for (const answer of told) expect(answer).toContain('an agent cannot approve work at a gate')
      for (const file of ['orphan.txt', 'nohup.txt'])
        expect(await readFile(join(cwd, file), 'utf8'), file).toContain('an agent cannot approve work')
      expect((await ralph(['gate', '--json'])).json).toMatchObject({ gates: [{ id: gate }] })
    },
  )
})

describe('a decision', { timeout: 300_000 }, () => {
  it('keeps the account, the way and the time; a name given along is told as no more than that', async () => {
    const { gate, learning } = await undecided()
    const feature = ['--feature', 'checkout']
    expect(await ralph(['gate', 'approve', gate, '--by', 'Ann'])).toMatchObject({ code: 0 })
    const { username } = userInfo()
    expect((await ralph(['gate', 'show', gate])).stdout).toMatch(
      new RegExp(`approved by ${username} \\(said to be Ann\\), by a command without a terminal, 20\\d\\d-`),
    )
    expect((await ralph(['gate', 'show', gate, '--json'])).json).toMatchObject({
      gate: { decided_by: 'Ann', decided_account: username, decided_how: 'command' },
    })
    await ralph(['learnings', 'review', learning, ...feature])
    expect((await ralph(['learnings', 'show', learning, ...feature])).stdout).toContain(
      `decided by ${username}, by a command without a terminal, 20`,
    )
    expect((await ralph(['learnings', 'show', learning, ...feature, '--json'])).json).toMatchObject({
      learning: { reviewed: true, decided: { account: username, how: 'command' } },
    })
    const file = readFileSync(join(cwd, '.ralph/db/features.yaml'), 'utf8')
    expect(file).toMatch(/decided:\s+account: /)
  })
})

describe('a person', { timeout: 300_000 }, () => {
  it('puts a learning into their own words, and that is kept', async () => {
    const { learning } = await undecided()
    const feature = ['--feature', 'checkout']
    expect((await ralph(['learnings', 'edit', learning, ...feature])).stderr).toContain('say what to change')
    const text = ['--text', 'Prices are in cents, and so is the tax']
    const edited = await ralph(['learnings', 'edit', learning, ...text, ...feature])
    expect(edited).toMatchObject({ code: 0, stdout: expect.stringContaining(text[1]!) })
    const [id] = edited.stdout.split(' ')
    expect((await ralph(['learnings', 'show', id!, ...feature])).stdout).toMatch(
      new RegExp(`edited by ${userInfo().username}, .*; before that agent`),
    )
    expect(await ralph(['learnings', 'edit', learning, ...text, ...feature])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`no learning ${learning} in "checkout"`),
    })
  })
})
