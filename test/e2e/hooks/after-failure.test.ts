import { describe, expect, it } from 'vitest'
import { DEPLOY_FAILED, FAILS, world } from '../../hooks/support.ts'

const OUTPUT = 'Error: bucket shop-assets does not exist\n    at upload (/shop/scripts/deploy.js:4:9)'
const AFTER = FAILS('node scripts/deploy.js', OUTPUT)

const SOLVED = {
  outcome: 'success' as const,
  taskId: 2,
  taskTitle: 'Create the bucket',
  timestamp: '2026-02-08T10:00:00Z',
  summary: 'The bucket is made by infra/bucket.tf now.',
  decisions: [{ description: 'Keep buckets in Terraform' }],
  errors: [],
  filesTouched: [{ path: 'infra/bucket.tf', action: 'created' as const }],
  checks: [
    {
      ...DEPLOY_FAILED.checks![0]!,
      result: 'passed' as const,
      signatures: [],
      changedBefore: true,
    },
  ],
}

describe('after a failure that was met before', { timeout: 120_000 }, () => {
  it('says what solved it, where a check shows that, once', async () => {
    const { hook } = await world([DEPLOY_FAILED, SOLVED])
    const { context } = await hook('PostToolUseFailure', AFTER)
    expect(context).toContain('this error was met before in this feature, in iteration 1.')
    expect(context).toContain('In iteration 2 "node scripts/deploy.js" ran without it')
    expect(context).toContain('had changed infra/bucket.tf')
    expect(context).toContain('The bucket is made by infra/bucket.tf now.')
    expect(context).toContain('Keep buckets in Terraform')
    expect((await hook('PostToolUseFailure', AFTER)).stdout).toBe('')
  })

  it('claims no solution because a later run on the task succeeded', async () => {
    const { hook } = await world([DEPLOY_FAILED, { ...SOLVED, checks: [] }])
    const { context } = await hook('PostToolUseFailure', AFTER)
    expect(context).not.toContain('ran without it')
    expect(context).not.toContain('bucket.tf')
  })

  it('says that no run shows it solved, and what the last one said', async () => {
    const { hook } = await world([DEPLOY_FAILED])
    const { context } = await hook('PostToolUseFailure', AFTER)
    expect(context).toContain('no run since shows it solved')
    expect(context).toContain('Deploying does not work yet.')
    expect(context).not.toMatch(/do not|don't|never|try another/i)
    const other = FAILS('node scripts/deploy.js', 'Something else entirely')
    expect((await hook('PostToolUseFailure', other)).stdout).toBe('')
  })

  it('names the solution that held before it came back', async () => {
    const { hook } = await world([DEPLOY_FAILED, SOLVED, DEPLOY_FAILED])
    const { context } = await hook('PostToolUseFailure', AFTER)
    expect(context).toContain('The bucket is made by infra/bucket.tf now.')
    expect(context).toContain('It was back in iteration 3')
  })

  it('is silent when a person interrupted it', async () => {
    const { hook } = await world([DEPLOY_FAILED])
    expect((await hook('PostToolUseFailure', { ...AFTER, is_interrupt: true })).stdout).toBe('')
  })

  it('is silent about what the briefing has told', async () => {
    const { hook } = await world([DEPLOY_FAILED])
    expect((await hook('SessionStart', { source: 'startup' })).context).toContain('bucket shop-assets')
    expect((await hook('PostToolUseFailure', AFTER)).stdout).toBe('')
  })
})
