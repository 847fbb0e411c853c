import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { makeCheckout } from '../support/checkout.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** What else has an account on the machine reads nothing of the user's folder, whatever the usual mode of files is. */
it.skipIf(process.platform === 'win32')('keeps every file of the user’s folder to its user', async () => {
  const folder = await temporaryFolder()
  chmodSync(folder, 0o755)
  const before = process.umask(0)
  onTestFinished(() => void process.umask(before))
  const project = join(folder, 'shop')
  const home = join(folder, 'home')
  makeCheckout(project)
  const request = { project, home, env: { RALPH_EMBEDDER: 'none' } }
  const ralph = await openRalph({ ...request, onNotice: () => undefined })
  await ralph.board.addFeature({ name: 'auth' })
  await ralph.learnings.append('auth', { text: 'Never skip the check', reason: 'seen', source: 'human' })
  await ralph.featureMemory.recordIteration(newIteration({ feature: 'auth' }))
  await ralph.knowledge.gates.request({ project, taskId: 1, gateType: 'review', approach: 'x' })
  await ralph.knowledge.capture({
    ...{ kind: 'failure_solution', project, failureDescription: 'it broke', solutionSteps: 'mend it' },
  })
  await ralph.knowledge.checkpoint('manual')
  await ralph.conversations.search('anything')
  await ralph.configuration.set('search.limit', '7', 'user' as never).catch(() => undefined)
  await ralph.health.examine({ fix: true })
  await ralph.close()
  const openFiles = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => lstatSync(path).size > 0 && (lstatSync(path).mode & 0o077) !== 0)
  expect(openFiles).toEqual([])
  expect(readdirSync(home)).toContain('ralph.db')
  // The folder itself is closed by the next who opens it, whoever made it how.
  await (await openRalph({ ...request, onNotice: () => undefined })).close()
  expect(lstatSync(home).mode & 0o077).toBe(0)
})
