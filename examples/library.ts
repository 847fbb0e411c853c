/** Ralph Memory as a library: store what an iteration did, ask about it later. Run: node examples/library.ts */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRalph } from 'ralph-memory'

const project = mkdtempSync(join(tmpdir(), 'ralph-example-'))
const ralph = await openRalph({ project, home: join(project, 'home') })

await ralph.featureMemory.recordIteration({
  feature: 'login',
  taskId: 7,
  taskTitle: 'Build the login form',
  timestamp: new Date().toISOString(),
  outcome: 'failure',
  summary:
    'The form crashed after submit: the session middleware returns { userId } where the form expects a user object.',
  errors: [
    {
      message: "TypeError: Cannot read properties of undefined (reading 'name')",
      type: 'runtime',
      filePath: 'src/LoginForm.tsx',
      line: 42,
    },
  ],
  decisions: [{ description: 'Load the user in the middleware', rationale: 'three pages need it' }],
  filesTouched: [{ path: 'src/LoginForm.tsx', action: 'modified' }],
})

const results = await ralph.featureMemory.search('login', 'why does signing in break', { limit: 5 })
for (const { record, score, relevance, matched, age } of results) {
  console.log(`${relevance} (${score.toFixed(2)}, ${matched.join(' and ')}), ${age}: ${record.summary}`)
}

await ralph.close()
rmSync(project, { recursive: true, force: true })
if (results.length === 0) process.exitCode = 1
