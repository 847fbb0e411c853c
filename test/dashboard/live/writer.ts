/** Run as a process of its own: changes the part that it is told, and says when that is done. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRalph } from '../../../src/ralph.ts'
import { newIteration } from '../../support/records.ts'

const [project, home, settings] = process.argv.slice(2) as [string, string, string]
const ralph = await openRalph({ project, home, settings: JSON.parse(settings) })
const write: Record<string, () => Promise<unknown> | unknown> = {
  'journal:Log in': () => ralph.featureMemory.recordIteration(newIteration({ feature: 'Log in' })),
  board: () => ralph.board.addFeature({ name: 'billing', description: 'what people owe' }),
  receipts: () =>
    ralph.receipts.append({ surface: 'mcp', event: 'search_feature_memory', run: 'r1', items: [] }),
  settings: () => writeFileSync(ralph.config.paths.projectFile, '{"search":{"limit":7}}'),
  gates: () => ralph.knowledge.gates.request({ project, taskId: 1, gateType: 'review', approach: 'a form' }),
  knowledge: () =>
    ralph.knowledge.capture({
      kind: 'failure_solution',
      project,
      failureDescription: 'login fails',
      solutionSteps: 'wait for it',
    }),
  conversations: () =>
    ralph.conversations.record({ conversationId: 'c1', userMessage: 'how', assistantMessage: 'so' }),
  documents: () => {
    const path = join(home, 'notes.md')
    writeFileSync(path, 'We deploy on Tuesdays.')
    return ralph.documents.add([path], { embed: false })
  },
  workers: () => ralph.conversations.workers.enable('conversation', false),
}
process.on('message', async (part: string) => {
  await write[part]!()
  process.send!(part)
})
