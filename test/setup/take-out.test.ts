import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { installHooks } from '../../src/agent-config/claude-hooks.ts'
import { mcpConfigFor, writeMcpConfig } from '../../src/agent-config/mcp-config.ts'
import { type Config, resolveConfig } from '../../src/config.ts'
import { agentsWithUserHooks, takeOut } from '../../src/setup/take-out.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function place(): Promise<Config> {
  const root = await temporaryFolder()
  const [project, userHome] = [join(root, 'shop'), join(root, 'user')]
  mkdirSync(project)
  mkdirSync(userHome)
  const config = await resolveConfig({ project, home: join(root, 'home'), env: {} })
  return { ...config, userHome, claudeDir: join(userHome, '.claude') }
}

it('takes our server out of files for all projects only where it is there for this one', async () => {
  const config = await place()
  const mine = mcpConfigFor({ ...config, client: 'windsurf' })
  const other = mcpConfigFor({ ...config, client: 'copilot-cli', project: `${config.project}-old` })
  await writeMcpConfig(mine, config.home)
  await writeMcpConfig(other, config.home)
  expect(await takeOut(config)).toEqual({ files: [{ path: mine.file, action: 'removed' }], problems: [] })
  expect(readFileSync(other.file, 'utf8')).toContain('shop-old')
})

it('leaves hooks for all projects, and says that they are there', async () => {
  const config = await place()
  expect(await agentsWithUserHooks(config)).toEqual([])
  await installHooks({ ...config, file: join(config.claudeDir, 'settings.json') })
  expect(await takeOut(config)).toEqual({ files: [], problems: [] })
  expect(await agentsWithUserHooks(config)).toEqual(['claude-code'])
})

it('goes on past a file that cannot be edited, and names it only if it is about us', async () => {
  const config = await place()
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(config.project, name)), { recursive: true })
    writeFileSync(join(config.project, name), text)
  }
  write('.cursor/mcp.json', '{ broken')
  write('.vscode/mcp.json', '{ "servers": { "ralph": ')
  await writeMcpConfig(mcpConfigFor({ ...config, client: 'claude-code', portable: true }), config.home)
  const { files, problems } = await takeOut(config)
  expect(files).toEqual([{ path: '.mcp.json', action: 'removed' }])
  expect(problems).toMatchObject([{ message: expect.stringContaining('.vscode/mcp.json: not valid JSON') }])
})
