import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { isTrustedByCodex } from '../../src/agent-config/codex-trust.ts'
import { formerServers } from '../../src/agent-config/installed.ts'
import { resolveConfig } from '../../src/config.ts'
import { setUpServer, takeOutServer } from '../../src/setup/mcp-server.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function place() {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const userHome = join(root, 'user')
  for (const folder of [project, userHome]) mkdirSync(folder)
  const config = await resolveConfig({ project, home: join(root, 'ralph'), env: {} })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  return {
    config: { ...config, userHome, sessionPlaces: sessionPlaces({}, userHome) },
    project,
    userHome,
    write,
  }
}

it.each(['gemini', 'qwen'] as const)('trusts in %s only where the person agrees', async (client) => {
  const { config, project } = await place()
  const entry = () =>
    JSON.parse(readFileSync(join(project, `.${client}`, 'settings.json'), 'utf8')).mcpServers.ralph
  await setUpServer(config, { client })
  expect(entry().trust).toBeUndefined()
  await setUpServer(config, { client, trust: true })
  expect(entry().trust).toBe(true)
  await takeOutServer(config, { client })
  expect(existsSync(join(project, `.${client}`))).toBe(false)
})

it('says that Codex reads it only in a trusted project, and has it trusted on request', async () => {
  const { config, project, userHome, write } = await place()
  const settings = write(
    join(userHome, '.codex', 'config.toml'),
    'model = "o3"\n\n[projects."/other"]\ntrust_level = "untrusted"\n',
  )
  const before = readFileSync(settings, 'utf8')
  const { remains } = await setUpServer(config, { client: 'codex' })
  expect(remains).toContain(`[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"`)
  expect(readFileSync(settings, 'utf8')).toBe(before)
  const trusted = await setUpServer(config, { client: 'codex', trust: true })
  expect(trusted).toMatchObject({ trusted: 'Codex' })
  expect(trusted.remains).toBeUndefined()
  expect(isTrustedByCodex(config)).toBe(true)
  // Codex writes into it too.
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\n[notice]\nseen = true\n`)
  await takeOutServer(config, { client: 'codex' })
  expect(isTrustedByCodex(config)).toBe(false)
  expect(readFileSync(settings, 'utf8')).toContain('[notice]')
  expect(readFileSync(settings, 'utf8')).toContain('[projects."/other"]\ntrust_level = "untrusted"')
})

it('leaves a trust that the person has given or refused', async () => {
  const { config, project, userHome, write } = await place()
  const refused = `[projects.${JSON.stringify(project)}]\ntrust_level = "untrusted"\n`
  const settings = write(join(userHome, '.codex', 'config.toml'), refused)
  await setUpServer(config, { client: 'codex', trust: true })
  await takeOutServer(config, { client: 'codex' })
  expect(readFileSync(settings, 'utf8')).toBe(refused)
})

it('takes a server of Copilot for all projects out of the user file, and only ours', async () => {
  const { config, project, userHome, write } = await place()
  const file = join(userHome, '.copilot', 'mcp-config.json')
  const server = (args: string[]) =>
    JSON.stringify({ mcpServers: { mine: { command: 'x' }, ralph: { command: 'node', args } } })
  const others = server(['/opt/other/tool.js', 'mcp', '--project=/elsewhere'])
  write(file, others)
  expect((await setUpServer(config, { client: 'copilot-cli' })).former).toEqual([])
  expect(readFileSync(file, 'utf8')).toBe(others)
  write(file, server(['/opt/x/bin/ralph.js', 'mcp', '--project=/elsewhere']))
  expect(await formerServers(config)).toMatchObject([{ client: 'copilot-cli', file }])
  const { file: written, former } = await setUpServer(config, { client: 'copilot-cli' })
  expect({ written, former }).toEqual({ written: join(project, '.github', 'mcp.json'), former: [file] })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: { mine: { command: 'x' } } })
  expect(await formerServers(config)).toEqual([])
})

const WORDS = '# Ours\r\n\r\nBe kind.'

it('adds a section where the agent reads it, between marks, and takes it out byte for byte', async () => {
  const { config, project, write } = await place()
  const agents = write(join(project, 'AGENTS.md'), WORDS)
  const gemini = join(project, 'GEMINI.md')
  const instructions = true
  expect((await setUpServer(config, { client: 'opencode', instructions })).section).toEqual([
    { path: 'AGENTS.md', action: 'changed' },
  ])
  await setUpServer(config, { client: 'gemini', instructions })
  expect((await setUpServer(config, { client: 'opencode', instructions })).section).toEqual([
    { path: 'AGENTS.md', action: 'kept' },
  ])
  for (const file of [agents, gemini]) expect(readFileSync(file, 'utf8')).toContain('search_feature_memory')
  expect(readFileSync(agents, 'utf8')).not.toMatch(/[^\r]\n/)
  // Edited since: the rest of it stays.
  writeFileSync(agents, `${readFileSync(agents, 'utf8')}More of ours.\r\n`)
  await takeOutServer(config, { client: 'opencode', instructions })
  expect(readFileSync(agents, 'utf8')).toBe(`${WORDS}\r\nMore of ours.\r\n`)
  await takeOutServer(config, { client: 'gemini', instructions })
  expect(existsSync(gemini)).toBe(false)
  writeFileSync(agents, WORDS)
  await setUpServer(config, { client: 'codex', instructions })
  await takeOutServer(config, { client: 'codex', instructions })
  expect(readFileSync(agents, 'utf8')).toBe(WORDS)
})
