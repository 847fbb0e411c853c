import { expect, it } from 'vitest'
import { heard } from '../../src/hooks/heard.ts'

const given = { hook_event_name: 'PostToolUseFailure', session_id: 's', cwd: '/shop' }
const parsed = async (fields: object) =>
  (await heard({ text: JSON.stringify({ ...given, ...fields }) }, {})).input!

it('cuts every text before anything looks at it', async () => {
  const long = 'x'.repeat(1_000_000)
  const { prompt, tool, toolInput } = await parsed({
    ...{ prompt: long, tool_name: long, tool_input: { command: long, file_path: long, timeout: 5 } },
  })
  for (const text of [prompt, tool, toolInput['command'], toolInput['file_path']])
    expect((text as string).length).toBeLessThan(20_000)
  expect(toolInput['timeout']).toBe(5)
})

it('keeps both ends of an output, where the error is said', async () => {
  const error = `Exit code 1\n${'\n'.repeat(3_000_000)}TypeError: x is undefined`
  const { error: shown } = await parsed({ error })
  expect(shown!.length).toBeLessThan(70_000)
  expect(shown).toMatch(/^Exit code 1\n/)
  expect(shown).toMatch(/TypeError: x is undefined$/)
})

it('has nothing to do with an input that takes too long to read', async () => {
  expect(await parsed({ tool_input: { content: 'x'.repeat(25_000_000) } })).toBeUndefined()
})
