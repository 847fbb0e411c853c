import { describe, expect, it } from 'vitest'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Run {
  tasks_done: number
  iterations: { repeated: boolean }[]
  told: string
}

describe('ralph demo', { timeout: 180_000 }, () => {
  it('shows that the same agent repeats its failures without memory, and does not with it', async () => {
    const folder = await temporaryFolder()
    const { code, json, stderr } = await runRalph(['demo', '--json'], { cwd: folder, home: folder })
    expect(code).toBe(0)
    // Who has seen it goes on from here.
    expect(stderr).toMatch(/Next\n.*cd your-project && .*init .*\n.*ralph dashboard --demo/)
    const shown = json as { agent: string; without: Run; with: Run; answers: { best?: object }[] }
    expect(shown.agent).toBe('scripted')
    expect(shown.without.tasks_done).toBe(0)
    expect(shown.without.iterations.some(({ repeated }) => repeated)).toBe(true)
    expect(shown.with.tasks_done).toBe(3)
    expect(shown.with.iterations.some(({ repeated }) => repeated)).toBe(false)
    // What it was told before its last run on the first task, not what came of it.
    expect(shown.with.told).toMatch(/Iteration 4 worked and was not done/)
    expect(shown.with.told).not.toContain('finished')
    expect(shown.answers.every(({ best }) => best !== undefined)).toBe(true)
  })
})
