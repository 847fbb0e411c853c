import { join } from 'node:path'
import { expect, it } from 'vitest'
import { extract } from '../../src/feature-memory/record-run.ts'
import { Collector } from '../../src/transcripts/collector.ts'

interface Voice {
  say: (event: object) => void
  begin(): void
  talk(text: string): void
  write(path: string, content: string, act: () => string): void
  edit(path: string, before: string, after: string, act: () => string): void
  run(command: string, act: () => { status: number; output: string }): boolean
  asked(tool: string, input: object, text: string): void
  finish(result: string): void
}

it.each(['claude-code', 'codex', 'opencode'])('what the scripted agent says as %s is read', async (name) => {
  const voices: { voiceOf(name: string, prompt: string): Voice } = await import(
    // @ts-expect-error: plain JavaScript, shipped as it is
    '../../demo/voices.js'
  )
  const collector = new Collector()
  const voice = voices.voiceOf(name, 'Write formatPrice in src/format-price.js')
  voice.say = (event) => collector.pushLine(JSON.stringify(event))
  voice.begin()
  voice.asked('get_failed_attempts', { task_id: 1 }, 'Nothing yet.')
  voice.talk('I decided on rounding with toFixed.')
  voice.write(join(process.cwd(), 'src/format-price.js'), 'export {}\n', () => 'Updated.')
  const failed = { status: 1, output: "AssertionError: '1.00' !== '1.01'" }
  expect(voice.run('node --test test/format-price.test.js', () => failed)).toBe(false)
  voice.edit(join(process.cwd(), '.ralph/db/tasks.yaml'), 'pending', 'done', () => 'Updated.')
  voice.finish('Format prices: the tests still fail.')
  const run = collector.finish()
  expect(run).toMatchObject({ agent: name, ending: 'completed' })
  expect(run.lines).toMatchObject({ unknown: 0, broken: 0 })
  expect(run.usage?.output).toBeGreaterThan(0)
  const { checks, errors, filesTouched, summary } = extract(run, { project: process.cwd() })
  expect(checks.map(({ command, result }) => [command, result])).toEqual([
    ['node --test test/format-price.test.js', 'failed'],
  ])
  expect(errors.map(({ message }) => message).join()).toContain("'1.00' !== '1.01'")
  expect(filesTouched.map(({ path }) => path)).toContain('src/format-price.js')
  expect(summary).toContain('the tests still fail')
})
