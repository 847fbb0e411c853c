import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

let project: string
let home: string
beforeEach(async () => {
  const root = await temporaryFolder()
  project = join(root, 'clone')
  home = join(root, 'home')
  makeCheckout(project)
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  await put('db/features.yaml', 'features:\n  - name: auth\n')
  await put(
    'db/tasks.yaml',
    'tasks:\n  - {id: 1, title: Build it, feature: auth, discipline: web, status: pending}\n',
  )
})

const put = (path: string, text: string) => writeFile(join(project, '.ralph', path), text)
const ralph = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  runRalph(args, { cwd: project, home, env: { RALPH_EMBEDDER: 'none', ...env } })

/** As `claude` would run: says a word and ends; the script comes first. */
const AGENT = (script: string) => `
  import { writeFileSync, readFileSync, existsSync } from 'node:fs'
  for await (const _ of process.stdin);
  const say = (event) => console.log(JSON.stringify(event))
  say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'm', tools: [] })
  ${script}
  say({ type: 'result', subtype: 'success', is_error: false, result: 'Looked at it.', total_cost_usd: 0.01 })`

describe('ralph trust', { timeout: 120_000 }, () => {
  it('has nothing to ask in a project with the defaults', async () => {
    const result = await ralph(['trust'])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toContain('Nothing in the settings of this project')
    expect((await ralph(['status'])).stdout).not.toContain('trust')
  })

  it('shows what would happen, keeps the answer, and shows what changed since', async () => {
    await put('rag_config.json', JSON.stringify({ embedder: { provider: 'ollama', url: 'http://one' } }))
    await put('db/disciplines.yaml', 'disciplines:\n  - {name: web, mcp_servers: {docs: {command: d}}}\n')
    const asked = await ralph(['trust'])
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('embedder (new): sends what is remembered')
    expect(asked.stderr).toContain('  + url = "http://one"')
    expect(asked.stderr).toContain('  + mcp_servers.docs.command = "d"')
    expect(asked.stdout).toContain('Not trusted: embedder, discipline web')
    expect((await ralph(['status'])).stdout).toMatch(
      /- embedder: [^→]*without effect until a person trusts it\n {4}→ ralph trust\n/,
    )
    expect((await ralph(['doctor'])).stdout).toContain(
      '! trust: embedder, discipline web: without effect\n    → ralph trust',
    )
    expect((await ralph(['trust', '--yes', '--json'])).json).toMatchObject({ trusted: true })
    expect((await ralph(['doctor'])).stdout).toContain('✓ trust')
    expect((await ralph(['status'])).stdout).not.toContain('ralph trust')
    await put('rag_config.json', JSON.stringify({ embedder: { provider: 'ollama', url: 'http://two' } }))
    const changed = await ralph(['trust'])
    expect(changed.stderr).toContain('embedder (changed)')
    expect(changed.stderr).toContain('  - url = "http://one"\n')
    expect(changed.stderr).toContain('  + url = "http://two"\n')
    expect(changed.stderr).toContain('discipline web (trusted)')
    expect((await ralph(['trust', '--revoke'])).code).toBe(0)
    expect((await ralph(['trust', '--json'])).json).toMatchObject({
      trusted: false,
      demands: [{ state: 'new' }, { state: 'new' }],
    })
  })

  it.each(['RALPH_LOOP_RUN', 'CLAUDECODE'])('is refused to an agent (%s)', async (variable) => {
    await put('rag_config.json', JSON.stringify({ loop: { agent: ['x'] } }))
    const result = await ralph(['trust', '--yes'], { [variable]: '1' })
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('an agent cannot trust settings')
    expect(existsSync(join(home, 'trust.json'))).toBe(false)
  })
})

it('doctor names the links that stand in the way', { timeout: 60_000 }, async () => {
  await symlink(home, join(project, '.ralph', 'cache'))
  const { stdout } = await ralph(['doctor'])
  expect(stdout).toContain(`! links: ${join(project, '.ralph', 'cache')} is a link`)
  expect(stdout).toContain(`→ Take it away: rm ${join(project, '.ralph', 'cache')}`)
})

it.skipIf(process.platform !== 'linux')(
  'is refused to an agent of the loop, whatever it takes out of its environment',
  {
    timeout: 120_000,
  },
  async () => {
    const command = await builtCommand()
    await put('rag_config.json', JSON.stringify({ embedder: { provider: 'ollama' } }))
    const agent = join(project, 'agent.mjs')
    await writeFile(
      agent,
      AGENT(`
      const { spawnSync } = await import('node:child_process')
      const { RALPH_LOOP_RUN, RALPH_FEATURE, ...env } = process.env
      const args = [${JSON.stringify(command)}, 'trust', '--yes']
      const near = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
      writeFileSync('near.txt', near.stderr)
      const shell = 'setsid "$0" "$@" >far.txt 2>&1 & sleep 4'
      spawnSync('sh', ['-c', shell, process.execPath, ...args], { env })`),
    )
    await ralph(['loop', '--once', '--agent', `"${process.execPath}" "${agent}"`])
    expect(await readFile(join(project, 'near.txt'), 'utf8')).toContain('an agent cannot trust settings')
    expect(await readFile(join(project, 'far.txt'), 'utf8')).toMatch(
      /an agent cannot trust|a loop is running/,
    )
    expect(existsSync(join(home, 'trust.json'))).toBe(false)
  },
)

describe('a loop in a clone', { timeout: 120_000 }, () => {
  it('starts nothing that nobody has trusted', async () => {
    const marker = join(project, 'started')
    const evil = [process.execPath, '-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`]
    await put('rag_config.json', JSON.stringify({ loop: { agent: evil } }))
    await ralph(['loop', '--once'], { PATH: '/nonexistent' })
    expect(existsSync(marker)).toBe(false)
  })

  it('undoes what its agent writes into the settings, starts none of it, and says so', async () => {
    const agent = join(project, 'agent.mjs')
    const before = JSON.stringify({ search: { limit: 7 } })
    await put('rag_config.json', before)
    await put('db/disciplines.yaml', 'disciplines:\n  - {name: web, conventions: small}\n')
    await writeFile(
      agent,
      AGENT(`
        const config = readFileSync(process.argv[process.argv.indexOf('--mcp-config') + 1], 'utf8')
        writeFileSync(existsSync('first.json') ? 'second.json' : 'first.json', config)
        writeFileSync('.ralph/rag_config.json', JSON.stringify({ loop: { agent: ['evil'] } }))
        writeFileSync('.ralph/db/disciplines.yaml', 'disciplines:\\n  - {name: web, conventions: small, mcp_servers: {x: {command: evil}}}\\n')`),
    )
    const command = `"${process.execPath}" "${agent}"`
    const result = await ralph(['loop', '--agent', command, '--max-iterations', '2', '--json'])
    expect(result.stdout).toContain('rag_config.json: loop would have agent = [\\"evil\\"]')
    expect(await readFile(join(project, '.ralph', 'rag_config.json'), 'utf8')).toBe(before)
    expect(await readFile(join(project, '.ralph', 'db', 'disciplines.yaml'), 'utf8')).not.toContain('evil')
    expect(readFileSync(join(project, 'second.json'), 'utf8')).not.toContain('evil')
  })
})
