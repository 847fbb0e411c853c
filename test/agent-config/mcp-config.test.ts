import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MCP_CLIENT_NAMES } from '../../src/agent-config/clients.ts'
import {
  mcpConfigFor,
  removeMcpConfig,
  writeMcpConfig,
  writtenServer,
} from '../../src/agent-config/mcp-config.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function places() {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  mkdirSync(project)
  return { project, userHome: join(root, 'user'), home: join(root, 'ralph-home') }
}

describe('the MCP config', () => {
  it('starts this installation by absolute paths, locked to the feature', async () => {
    const { project, userHome } = await places()
    const { entry } = mcpConfigFor({ client: 'claude-code', project, userHome, feature: 'auth' })
    const { command, args, alwaysLoad } = entry as { command: string; args: string[]; alwaysLoad: boolean }
    expect(isAbsolute(command)).toBe(true)
    expect(isAbsolute(args[0]!)).toBe(true)
    expect(existsSync(args[0]!)).toBe(true)
    expect(args.slice(1)).toEqual(['mcp', `--project=${project}`, '--feature=auth'])
    expect(alwaysLoad).toBe(true)
  })

  it('has no path of this machine when it is to be committed', async () => {
    const { project, userHome } = await places()
    const { text } = mcpConfigFor({ client: 'cursor', project, userHome, portable: true })
    expect(JSON.parse(text)).toEqual({ mcpServers: { ralph: { command: 'ralph', args: ['mcp'] } } })
    const fetched = mcpConfigFor({ client: 'cursor', project, userHome, portable: 'npx' })
    expect(fetched.entry).toEqual({ command: 'npx', args: ['-y', 'ralph-memory', 'mcp'] })
  })

  it('takes the form each client wants', async () => {
    const { project, userHome } = await places()
    const texts = Object.fromEntries(
      // Claude Desktop's file lies elsewhere on each system.
      MCP_CLIENT_NAMES.filter((client) => client !== 'claude-desktop').map((client) => {
        const { file, text } = mcpConfigFor({ client, project, userHome, portable: true, feature: 'auth' })
        return [client, `${file.replace(project, 'PROJECT').replace(userHome, 'HOME')}\n${text}`]
      }),
    )
    expect(texts).toMatchSnapshot()
  })

  it.each(MCP_CLIENT_NAMES)('is written and undone for %s, also where there was no file', async (client) => {
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client, ...where })
    expect((await writeMcpConfig(config, home)).action).toBe('created')
    expect((await writeMcpConfig(config, home)).action).toBe('unchanged')
    expect(readFileSync(config.file, 'utf8')).toBe(config.text)
    expect((await removeMcpConfig(config, home)).action).toBe('removed')
    expect(existsSync(config.file)).toBe(false)
  })

  const OTHERS = '{\n\t// mine\n\t"mcpServers": {"x": {"command": "y"}}, // and\n\t"z": [1,2]\n}'

  it('keeps what is there, and gives the file back byte for byte, with its mode and through a link', async () => {
    needs('modes')
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client: 'claude-code', ...where })
    const real = join(where.project, 'real.json')
    writeFileSync(real, OTHERS)
    chmodSync(real, 0o600)
    symlinkSync(real, config.file)
    await writeMcpConfig(config, home)
    await writeMcpConfig(mcpConfigFor({ client: 'claude-code', feature: 'auth', ...where }), home)
    const written = readFileSync(real, 'utf8')
    expect(written).toContain('// mine')
    expect(written).toContain('"x": {"command": "y"}')
    expect(written).toContain('--feature=auth')
    expect(statSync(real).mode & 0o777).toBe(0o600)
    await removeMcpConfig(config, home)
    expect(readFileSync(config.file, 'utf8')).toBe(OTHERS)
  })

  it('takes out only its own lines when somebody edited the file since', async () => {
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client: 'claude-code', ...where })
    writeFileSync(config.file, OTHERS)
    await writeMcpConfig(config, home)
    writeFileSync(config.file, readFileSync(config.file, 'utf8').replace('[1,2]', '[1,2,3]'))
    await removeMcpConfig(config, home)
    expect(readFileSync(config.file, 'utf8')).toBe(OTHERS.replace('[1,2]', '[1,2,3]'))
  })

  it.each([
    ['{ "mcpServers": ', 'not valid JSON'],
    ['[]', 'is not an object'],
    [Buffer.from([0x7b, 0x7d, 0x2f, 0x2f, 0xe9]), 'is not text in UTF-8'],
  ])('leaves a file alone that it cannot read: %s', async (text, message) => {
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client: 'claude-code', ...where })
    writeFileSync(config.file, text)
    await expect(writeMcpConfig(config, home)).rejects.toThrow(message)
    await expect(writeMcpConfig(config, home)).rejects.toThrow(config.file)
    await expect(writtenServer(config, home)).rejects.toThrow(message)
    expect(readFileSync(config.file)).toEqual(Buffer.from(text))
  })

  it('leaves a folder that was there before, however empty', async () => {
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client: 'cursor', ...where })
    mkdirSync(join(where.project, '.cursor'))
    await writeMcpConfig(config, home)
    await writeMcpConfig(mcpConfigFor({ client: 'cursor', feature: 'auth', ...where }), home)
    await removeMcpConfig(config, home)
    expect(readdirSync(where.project)).toEqual(['.cursor'])
    expect(readdirSync(join(where.project, '.cursor'))).toEqual([])
  })

  it.each(['claude-code', 'codex'] as const)('says what %s has under our name', async (client) => {
    const { home, ...where } = await places()
    const config = mcpConfigFor({ client, ...where, portable: true })
    expect(await writtenServer(config, home)).toBeUndefined()
    await writeMcpConfig(config, home)
    expect(await writtenServer(config, home)).toContain('ralph')
    await removeMcpConfig(config, home)
    expect(await writtenServer(config, home)).toBeUndefined()
  })
})
