import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { setUpProject } from '../../src/project-setup.ts'
import { openRalph } from '../../src/ralph.ts'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

it('says of each finding what it means and what mends it, what it mended, and what is left for a person', async () => {
  const folder = await temporaryFolder()
  const [cwd, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(cwd)
  const ralph = await openRalph({ project: cwd, home, env: {}, onNotice: () => undefined })
  await setUpProject(ralph.config)
  await ralph.close()
  const doctor = (...words: string[]) =>
    saidBy(['doctor', ...words], {
      cwd,
      home,
      env: { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, 'claude') },
    })
  rmSync(join(cwd, '.ralph', 'db', 'tasks.yaml'))
  const found = await doctor()
  expect(found.code).toBe(0)
  expect(found.stdout).toMatch(
    /\n! project: \.ralph\/db lacks tasks\.yaml\n {4}Features and tasks have no place.*\n {4}→ ralph doctor --fix\n/,
  )
  expect(found.stdout).toMatch(/\n2 warnings\. ralph doctor --fix mends 1 of them\.\n$/)
  const mended = await doctor('--fix')
  expect(mended.stdout).toMatch(/\n✓ project: .*\n {4}mended: made \.ralph\/db\/tasks\.yaml\n/)
  expect(mended.stdout).toMatch(
    /\n1 thing mended, 1 warning\. What is left takes a person: each says how\.\n$/,
  )
  expect(existsSync(join(cwd, '.ralph', 'db', 'tasks.yaml'))).toBe(true)
  writeFileSync(join(cwd, '.ralph', 'rag_config.json'), '{')
  const broken = await doctor('--json')
  expect(broken.code).toBe(1)
  expect(JSON.parse(broken.stdout)).toMatchObject({
    ok: false,
    findings: expect.arrayContaining([
      expect.objectContaining({ check: 'settings', level: 'problem', means: expect.any(String) }),
      expect.objectContaining({ check: 'MCP', level: 'ok' }),
    ]),
  })
})
