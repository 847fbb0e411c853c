import { expect, it } from 'vitest'
import { completionScript } from '../../src/cli/completion.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { typed } from '../../src/cli/typed.ts'

it('a command is named as it has to be typed here, and nothing else is touched', () => {
  const text = '→ `ralph status`, or ralph gates? A newer ralph wrote it; ralph can read /opt/ralph status.'
  expect(typed(text, 'npx ralph')).toBe(
    '→ `npx ralph status`, or ralph gates? A newer ralph wrote it; ralph can read /opt/ralph status.',
  )
  expect(typed('npx ralph status', 'npx ralph')).toBe('npx ralph status')
  expect(typed(text, 'ralph')).toBe(text)
})

it('shells complete what the help can be asked for', async () => {
  const script = completionScript(await wholeProgram(), 'bash')
  expect(script).toMatch(/^ {4}""\) words=".* help/m)
  expect(script).toMatch(/^ {4}"help"\) words="init .*configuration/m)
  expect(script).toMatch(/^ {4}"memory recent"\) words="--feature --count --project --json/m)
})
