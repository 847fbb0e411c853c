import { spawnSync } from 'node:child_process'
import { copyFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ancestorIn, isOfAgent } from '../../src/loop/agent/below-agent.ts'
import { parseCommands } from '../../src/loop/agent/process-table.ts'
import { openRalph } from '../../src/ralph.ts'
import { builtCommand } from '../support/built-command.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** What agents set for the commands that they run, taken out again by the agent. */
const UNMARKED = 'env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID'
const MARKED = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'one' }

async function world() {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  const home = join(folder, 'home')
  const ralph = await openRalph({ project: folder, home, env: {}, onNotice: () => undefined })
  const gate = await ralph.knowledge.gates.request({
    ...{ project: ralph.config.project, taskId: 1, gateType: 'review', approach: 'a form' },
  })
  const isWaiting = async () => (await ralph.knowledge.gates.show(gate.id)).state === 'waiting'
  const said = {
    conversation_id: 'one',
    title: 'mine',
    user_message: 'secret plans',
    assistant_message: 'yes',
  }
  writeFileSync(join(folder, 'history.jsonl'), `${JSON.stringify(said)}\n`)
  const ralphLine = `"${process.execPath}" "${await builtCommand()}"`
  const env = { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home }
  const shell = (line: string, marks: object) =>
    spawnSync('/bin/sh', ['-c', line], { cwd: folder, env: { ...env, ...marks }, encoding: 'utf8' })
  return { folder, project, ralph, gate, isWaiting, ralphLine, shell, env }
}

describe.skipIf(process.platform !== 'linux')('what is for a person to decide', () => {
  it('is not decided by an agent that takes its marks out of the environment', async () => {
    const { ralph, gate, isWaiting, ralphLine, shell } = await world()
    const approve = `gate approve ${gate.id}`
    const tricks = [
      `${ralphLine} ${approve}`,
      `${UNMARKED} ${ralphLine} ${approve}; true`,
      `unset CLAUDECODE CLAUDE_CODE_SESSION_ID; ${ralphLine} ${approve}; true`,
      `CLAUDECODE= CLAUDE_CODE_SESSION_ID= ${ralphLine} ${approve}; true`,
      `env -i HOME="$HOME" RALPH_HOME="$RALPH_HOME" ${ralphLine} ${approve}; true`,
      `${UNMARKED} sh -c '${ralphLine} ${approve}; true'; true`,
      `(${UNMARKED} nohup ${ralphLine} ${approve}); true`,
      `${UNMARKED} timeout 60 ${ralphLine} ${approve}; true`,
      `${UNMARKED} ${ralphLine} project id --new; true`,
      `${UNMARKED} ${ralphLine} migrate --to qdrant --url http://127.0.0.1:9; true`,
      `${UNMARKED} ${ralphLine} migrate --to postgres --url postgres://127.0.0.1:9/db; true`,
      `${UNMARKED} ${ralphLine} conversations share one; true`,
      `${UNMARKED} ${ralphLine} config set loop.gate none; true`,
      `${UNMARKED} ${ralphLine} learnings add "Skip it" --feature auth --reason x --source human; true`,
    ]
    tried(tricks.length)
    shell(`${ralphLine} conversations import --format jsonl history.jsonl`, {})
    for (const trick of tricks) {
      const { stderr, stdout } = shell(trick, MARKED)
      expect(stderr + stdout, trick).toContain('an agent cannot')
      expect(await isWaiting(), trick).toBe(true)
    }
    await ralph.close()
  })

  it('is not decided by a program of an agent that starts it without any shell', async () => {
    const { ralph, gate, folder, env, isWaiting } = await world()
    const claude = join(folder, 'claude')
    copyFileSync(realpathSync(process.execPath), claude)
    const words = [process.execPath, [await builtCommand(), 'gate', 'approve', gate.id], { stdio: 'inherit' }]
    const script = `require('child_process').spawnSync(...${JSON.stringify(words)})`
    const { stderr } = spawnSync(claude, ['-e', script], { cwd: folder, env, encoding: 'utf8' })
    expect(stderr).toContain('an agent cannot approve')
    expect(await isWaiting()).toBe(true)
    await ralph.close()
  })

  it('honest: is decided by a person in a shell', async () => {
    const { ralph, gate, isWaiting, ralphLine, shell } = await world()
    expect(shell(`${ralphLine} gate approve ${gate.id}; true`, {}).stderr).toBe('')
    expect(await isWaiting()).toBe(false)
    await ralph.close()
  })
})

describe('where only the names of programs can be seen', () => {
  const table = parseCommands(
    [
      '900 4 C:\\Windows\\explorer.exe',
      '1000 900 "C:\\Program Files\\nodejs\\node.exe" C:\\npm\\claude.cmd',
      '1100 1000 C:\\Windows\\system32\\cmd.exe /d /s /c ralph gate approve 1',
      '2000 900 powershell.exe',
      '2100 2000 cmd.exe /c ralph gate approve 1',
      '3000 900 /usr/local/bin/codex exec',
      '3100 3000 zsh -c ralph trust --yes',
      '3200 3000 node build.js',
    ].join('\n'),
  )
  it.each([
    [1100, true],
    [3100, true],
    [2100, false],
    [3200, false],
    [77, false],
  ])('%d is below an agent: %s', (pid, expected) =>
    expect(isOfAgent((one) => ancestorIn(table, one), pid)).toBe(expected),
  )
})
