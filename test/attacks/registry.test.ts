import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ATTACK_KINDS } from './registry.ts'
import { counted } from './report/counted.ts'

const OWN = 'registry.test.ts'

it('honest: every file of attacks is in the table, and no other', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts') && name !== OWN)
  const listed = new Set(ATTACK_KINDS.flatMap(({ cases }) => cases.map(({ file }) => file)))
  expect([...listed].sort()).toEqual(files.sort())
  expect(new Set(ATTACK_KINDS.map(({ kind }) => kind)).size).toBe(ATTACK_KINDS.length)
})

it('honest: what got through is counted, an honest twin is not, and what is of no kind is refused', () => {
  const measured = { date: '2026-01-01', commit: 'x', version: '0', node: '24', machine: 'x' }
  const ran = (file: string, title: string, status: 'passed' | 'failed', tried = 1) => ({
    file,
    title,
    status,
    tried,
  })
  const { kinds, honest } = counted(
    [
      ran('http.test.ts', 'two in one', 'failed', 14),
      ran('http.test.ts', 'without end', 'passed'),
      ran('git.test.ts', 'honest: still shows the change', 'passed'),
      ran('git.test.ts', 'honest: still shows the change', 'failed'),
    ],
    measured,
  )
  const of = (kind: string) => kinds.find((one) => one.kind === kind)
  expect(of('requests in disguise')).toMatchObject({ cases: 2, tried: 15, through: ['two in one'] })
  expect(of('programs that git starts')).toMatchObject({
    cases: 1,
    through: ['honest: still shows the change'],
  })
  expect(honest).toBe(1)
  expect(() => counted([ran('nowhere.test.ts', 'x', 'passed')], measured)).toThrow('is of no kind')
})
