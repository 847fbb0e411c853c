import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  agentHooksFile,
  foundAgentHooks,
  HOOKED_AGENTS,
  type HookedAgent,
  installAgentHooks,
  type ProgramScope,
  uninstallAgentHooks,
} from '../../src/agent-config/hooks.ts'
import { hooksStates } from '../../src/agent-config/installed.ts'
import { mcpConfigFor, removeMcpConfig, writeMcpConfig } from '../../src/agent-config/mcp-config.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function places() {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const userHome = join(root, 'user')
  mkdirSync(project)
  mkdirSync(userHome)
  const place = (agent: HookedAgent, scope: ProgramScope = 'project') => {
    const where = { project, userHome, home: join(root, 'ralph'), sessionPlaces: sessionPlaces({}, userHome) }
    const options = { ...where, agent, scope, portable: true, searchPath: undefined }
    const file = agentHooksFile(options)
    return { ...options, file, read: () => readFileSync(file, 'utf8') }
  }
  return { root, project, userHome, place }
}

/** Every file and folder but our own. */
function tree(root: string): string[] {
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => !path.startsWith('ralph'))
    .sort()
}

describe.each(HOOKED_AGENTS)('hooks of %s', (agent) => {
  it.each(['project', 'user'] as const)('come and go without a trace (%s)', async (scope) => {
    const { root, project, userHome, place } = await places()
    const before = tree(root)
    const where = place(agent, scope)
    expect(where.file.startsWith(scope === 'user' ? userHome : project)).toBe(true)
    expect((await installAgentHooks(where)).action).toBe('created')
    expect((await installAgentHooks(where)).action).toBe('unchanged')
    expect(await foundAgentHooks(where)).toMatchObject({ files: [], newest: true })
    expect((await uninstallAgentHooks(where)).action).toBe('removed')
    expect(tree(root)).toEqual(before)
    expect((await uninstallAgentHooks(where)).action).toBe('unchanged')
  })

  it('call ralph by its name where others read the file, else this very installation', async () => {
    const { root, place } = await places()
    const where = place(agent)
    await installAgentHooks(where)
    expect(where.read()).not.toContain(root)
    expect(where.read()).not.toContain(process.execPath)
    expect(where.read()).toMatch(new RegExp(`--agent.{1,4}${agent}`))
    expect((await installAgentHooks({ ...where, portable: false })).action).toBe('changed')
    const { files } = (await foundAgentHooks(where))!
    expect(files.some((file) => file.endsWith('ralph.js') && existsSync(file))).toBe(true)
    expect(await uninstallAgentHooks(where)).toMatchObject({ action: 'removed' })
  })
})

const OTHERS = `{
  // mine
  "model": {"name": "x"},
  "hooks": { "SessionStart": [ { "hooks": [{ "type": "command", "command": "mine" }] } ] }, // odd
}`

describe.each(['codex', 'gemini', 'qwen', 'copilot'] as const)('in a file of %s that is there', (agent) => {
  it('everything else stays, and comes back byte for byte', async () => {
    const { place } = await places()
    const where = place(agent)
    mkdirSync(dirname(where.file), { recursive: true })
    writeFileSync(where.file, OTHERS)
    await installAgentHooks(where)
    expect(where.read()).toContain('// mine')
    expect(where.read()).toContain('"command": "mine"')
    await uninstallAgentHooks(where)
    expect(where.read()).toBe(OTHERS)
    // Edited since: only what is ours goes.
    await installAgentHooks(where)
    writeFileSync(where.file, where.read().replace('"mine"', '"other"'))
    await uninstallAgentHooks(where)
    expect(where.read()).toBe(OTHERS.replace('"mine"', '"other"'))
  })
})

it('has the limits of each program in its own units', async () => {
  const { place } = await places()
  const limits = []
  for (const agent of ['codex', 'gemini', 'qwen', 'copilot'] as const) {
    await installAgentHooks(place(agent))
    limits.push(/"timeout(?:Sec)?": \d+/.exec(place(agent).read())?.[0])
  }
  expect(limits).toEqual(['"timeout": 10', '"timeout": 10000', '"timeout": 10', '"timeoutSec": 10'])
})

it.each(['gemini', 'qwen'] as const)(
  'shares a file of %s with the memory tools, each gone for itself',
  async (agent) => {
    const { place } = await places()
    const where = place(agent)
    mkdirSync(dirname(where.file), { recursive: true })
    writeFileSync(where.file, OTHERS)
    const server = mcpConfigFor({ ...where, client: agent })
    for (const [first, second] of [
      [uninstallAgentHooks, removeMcpConfig],
      [removeMcpConfig, uninstallAgentHooks],
    ]) {
      await writeMcpConfig(server, where.home)
      await installAgentHooks(where)
      const undo = (one: unknown) =>
        one === uninstallAgentHooks ? uninstallAgentHooks(where) : removeMcpConfig(server, where.home)
      await undo(first)
      expect(where.read().includes('"args"')).toBe(first === uninstallAgentHooks)
      expect(where.read().includes('ralph hook')).toBe(first !== uninstallAgentHooks)
      await undo(second)
      expect(where.read()).toBe(OTHERS)
    }
  },
)

it('takes a folder out that was made for several files of ours with the last of them', async () => {
  const { root, place } = await places()
  const hooks = place('copilot')
  const server = mcpConfigFor({ ...hooks, client: 'copilot-cli' })
  const before = tree(root)
  for (const serverFirst of [true, false]) {
    await installAgentHooks(hooks)
    await writeMcpConfig(server, hooks.home)
    if (serverFirst) await removeMcpConfig(server, hooks.home)
    await uninstallAgentHooks(hooks)
    if (!serverFirst) await removeMcpConfig(server, hooks.home)
    expect(tree(root)).toEqual(before)
  }
})

it('leaves a script alone that is none of ours', async () => {
  const { place } = await places()
  const where = place('pi')
  mkdirSync(dirname(where.file), { recursive: true })
  writeFileSync(where.file, 'export default () => {}\n')
  await expect(installAgentHooks(where)).rejects.toThrow(/ralph-memory\.js: .*none of ours/)
  expect((await uninstallAgentHooks(where)).action).toBe('unchanged')
  expect(where.read()).toBe('export default () => {}\n')
})

it('says which are installed, out of date, or lead nowhere', async () => {
  const { root, place } = await places()
  const where = place('codex')
  const states = async () => {
    const all = await hooksStates({ ...where, claudeDir: join(root, 'claude') })
    return all.filter(({ agent }) => agent !== 'claude-code')
  }
  expect(await states()).toEqual([])
  await installAgentHooks(where)
  await installAgentHooks(place('pi', 'user'))
  expect(await states()).toMatchObject([
    { agent: 'codex', scope: 'project', outdated: false, portable: true, missing: [] },
    { agent: 'pi', scope: 'user', outdated: false, portable: true },
  ])
  writeFileSync(where.file, where.read().replace('"Stop"', '"Other"').replace('-e \\"', '-e  \\"'))
  const gone = join(root, 'gone.js')
  const script = place('pi', 'user')
  writeFileSync(script.file, script.read().replace('const START = []', `const START = ["${gone}"]`))
  writeFileSync(mkdirFor(place('qwen').file), '{ "hooks": ')
  expect(await states()).toMatchObject([
    { agent: 'codex', outdated: true },
    { agent: 'qwen', problem: expect.stringContaining('not valid JSON') },
    { agent: 'pi', outdated: false, missing: [gone] },
  ])
})

function mkdirFor(file: string): string {
  mkdirSync(dirname(file), { recursive: true })
  return file
}

it('says what is left for the person to do', async () => {
  const { place } = await places()
  const remains = async (agent: HookedAgent, scope: ProgramScope) =>
    (await installAgentHooks(place(agent, scope))).remains
  expect(await remains('codex', 'project')).toMatch(/nobody has approved.*\/hooks/)
  expect(await remains('codex', 'user')).toMatch(/nobody has approved.*\/hooks/)
  expect(await remains('gemini', 'project')).toContain('trusted folder')
  expect(await remains('copilot', 'project')).toContain('not trusted')
  expect(await remains('copilot', 'user')).toBeUndefined()
  expect(await remains('pi', 'project')).toBeUndefined()
})
