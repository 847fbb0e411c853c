/** The MCP server and the hooks from a cold start, beside the reference memory server in the same run. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workOutFacts } from '../src/hooks/facts/work-out.ts'
import { openRalph } from '../src/ralph.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { newIteration } from '../test/support/records.ts'
import { programOf } from './peers/load.ts'
import { median, percentile } from './support/figures.ts'
import { firstMcpAnswer } from './support/mcp-start.ts'
import { inTurns, printHead, printRow, runOnce, sayHowQuiet } from './support/rounds.ts'

const ROUNDS = 15
/** Of the time that the reference server takes to its first answer. */
const MOST_OF_REFERENCE = 0.8
const command = await builtCommand()
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
const project = join(folder, 'shop')
const home = join(folder, 'home')
mkdirSync(join(project, '.git'), { recursive: true })
writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/feature/auth\n')
const env = { ...process.env, RALPH_HOME: home, RALPH_HOOK_DEADLINE_MS: '5000' }

const ralph = await openRalph({ project, home })
for (let at = 0; at < 200; at++) {
  await ralph.featureMemory.recordIteration(
    newIteration({
      feature: 'auth',
      taskId: at,
      summary: `Iteration ${at}: the login form and case ${at * 7}`,
      errors: [{ message: `case ${at} failed`, type: 'runtime', command: `npm run case-${at}` }],
      filesTouched: [{ path: `src/case-${at % 40}.ts`, action: 'modified' }],
    }),
  )
}
await ralph.featureMemory.catchUp('auth')
await workOutFacts(ralph.config, 'auth')
await ralph.close()

function hook(event: string, fields: object): number {
  const input = JSON.stringify({
    session_id: `s${Math.random()}`,
    cwd: project,
    hook_event_name: event,
    ...fields,
  })
  const start = performance.now()
  const { status } = spawnSync(process.execPath, [command, 'hook', event], { input, env, cwd: project })
  if (status !== 0) throw new Error(`${event}: exit code ${status}`)
  return performance.now() - start
}

/** The reference server is not a dependency: it is there once the peers were compared. */
function referenceServer(): string | undefined {
  const entry = programOf('server-memory', '@modelcontextprotocol/server-memory', 'dist/index.js')
  return existsSync(entry) ? entry : undefined
}

const shown = (values: readonly number[]) =>
  `${median(values).toFixed(0).padStart(5)} ms median, ${percentile(values, 0.9).toFixed(0).padStart(5)} ms p90`

const reference = referenceServer()
const resident: { [name: string]: number[] } = {}
const served = async (name: string, args: readonly string[], tool: string) => {
  const one = await firstMcpAnswer(args, tool, { env })
  resident[name] = [...(resident[name] ?? []), one.residentMb]
  return one
}
const ralphMcp = [command, 'mcp', `--project=${project}`, '--feature=auth']
const taken = await inTurns(
  {
    'node -e 0': () => runOnce(['-e', '0']),
    'ralph mcp': () => served('ralph mcp', ralphMcp, 'get_recent_iterations'),
    ...(reference && { 'server-memory': () => served('server-memory', [reference], 'read_graph') }),
  },
  ROUNDS,
)
const node = taken.get('node -e 0')!
const theirs = taken.get('server-memory')
printHead('To the first tool answer')
printRow('node -e 0', node, theirs ?? node)
printRow('ralph mcp', taken.get('ralph mcp')!, theirs ?? node, theirs && MOST_OF_REFERENCE)
if (theirs) printRow('server-memory', theirs, theirs)
else
  console.log('  server-memory         not installed: npm run bench -- peers brings it; ratios are to node')
for (const [name, megabytes] of Object.entries(resident)) {
  console.log(`  ${name.padEnd(22)}${median(megabytes).toFixed(0).padStart(10)} MB resident`)
}
sayHowQuiet(node)

const hooks: Record<string, object> = {
  SessionStart: { source: 'startup' },
  PreToolUse: { tool_name: 'Bash', tool_input: { command: 'npm run case-199' } },
  PostToolUseFailure: {
    tool_name: 'Bash',
    tool_input: { command: 'npm run case-199' },
    error: 'Exit code 1\ncase 199 failed',
  },
  UserPromptSubmit: { prompt: 'How did we get the login form to work?' },
  Stop: { transcript_path: join(project, 'session.jsonl') },
}
console.log('Hooks from a cold start; the limit is 300 ms')
for (const [event, fields] of Object.entries(hooks)) {
  hook(event, fields)
  console.log(`  ${event.padEnd(24)} ${shown(Array.from({ length: ROUNDS }, () => hook(event, fields)))}`)
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
