/** GitHub is told what .ci/run asks, for every system; whoever changes the one is to change the other. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

const Step = z.strictObject({
  run: z.string().optional(),
  uses: z
    .string()
    // By the full commit: a tag can be moved.
    .regex(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    .optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
})
const Job = z.strictObject({
  'runs-on': z.string(),
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  container: z.string().optional(),
  'timeout-minutes': z.number().optional(),
  strategy: z
    .strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.any())) })
    .optional(),
  steps: z.array(Step).min(1),
})
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(z.string()).optional(), tags: z.array(z.string()).optional() }),
    pull_request: z.null().optional(),
  }),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), Job),
})

const { jobs } = Workflow.parse(parse(read('.github/workflows/ci.yml')))
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
const asked = (text: string) =>
  [...text.matchAll(/^npm (?:run (?:--silent )?)?([\w:]+)/gm)].map(([, name]) => name!)

it('asks all that .ci/run asks', () => {
  const steps = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => asked(run ?? '')))
  const wanted = asked(read('.ci/run')).filter((name) => name !== 'install')
  expect(wanted).toContain('test')
  expect(wanted.filter((name) => !steps.includes(name))).toEqual([])
  // No script that is not there.
  expect(steps.filter((name) => !['ci', 'test'].includes(name) && !(name in scripts))).toEqual([])
})

it('asks it on every system, with the oldest Node that will do and a newer one', () => {
  const { matrix } = jobs['test']!.strategy!
  expect(matrix['os']).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
  const least = /(\d+)/.exec(JSON.parse(read('package.json')).engines.node)![1]
  expect(matrix['node']).toEqual([Number(least), 24])
})

describe('publishing', () => {
  const workflow = Workflow.parse(parse(read('.github/workflows/publish.yml')))
  const { check, publish } = workflow.jobs
  const runs = (job: typeof check) => job!.steps.flatMap(({ run }) => run ?? [])

  it('happens for a tag of a version alone, after all that .ci/run asks of the code', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
    expect(publish!.needs).toBe('check')
    const checked = runs(check).flatMap(asked)
    expect(checked).toEqual(
      expect.arrayContaining(['typecheck', 'lint', 'docs:check', 'examples', 'test', 'package']),
    )
    expect(checked.filter((name) => !['ci', 'audit', 'test'].includes(name) && !(name in scripts))).toEqual(
      [],
    )
    const packed = runs(check).find((run) => run.includes('npm run package'))
    expect(packed).toMatch(/--tag "\$GITHUB_REF_NAME" --audit required --out release/)
  })

  it('lets only what runs nothing of others speak for the repository', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(check!.permissions).toBeUndefined()
    expect(publish!.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    expect(runs(publish)).toEqual([
      'npm publish ./release/ralph-memory-*.tgz --provenance --access public --ignore-scripts',
    ])
  })
})

it('names beside every action the release that its commit is of, and one commit for each', () => {
  const text = ['ci', 'publish'].map((name) => read(`.github/workflows/${name}.yml`)).join('\n')
  const used = [...text.matchAll(/uses: (\S+?)@(.*)$/gm)].map(([, action, pin]) => [action!, pin!] as const)
  expect(used.length).toBeGreaterThan(5)
  for (const [, pin] of used) expect(pin).toMatch(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  expect(new Set(used.map((one) => one.join('@'))).size).toBe(new Map(used).size)
})
