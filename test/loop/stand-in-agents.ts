import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AGENTS, type AgentName } from '../../src/transcripts/agents.ts'

/** What a stand-in was given: by the command line, on standard input, and by its environment. */
export interface Given {
  args: string[]
  prompt: string
  env: Record<string, string>
  /** The file of servers that its arguments name, and the one in the project. */
  servers?: unknown
  lent?: { mcpServers: Record<string, unknown> }
}

export interface StandIn {
  /** A recording of the real program: its lines are printed as they came, but for the folder. */
  recording?: string
  exit?: number
  complaint?: string
  /** What it does in the project, as JavaScript. */
  does?: string
}

const SCRIPT = `
import { existsSync, readFileSync, writeFileSync, appendFileSync } from 'node:fs'
import { join } from 'node:path'
const here = import.meta.dirname
const name = process.argv[2]
const args = process.argv.slice(3)
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const named = args.map((word) => word.replace(/^@/, '')).find((word) => word.endsWith('.mcp.json'))
const lent = '.gemini/settings.json'
const json = (path) => (path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)
appendFileSync(join(here, 'given.jsonl'), JSON.stringify({ args, prompt, env: process.env, servers: json(named), lent: json(lent) }) + '\\n')
const plan = JSON.parse(readFileSync(join(here, name + '.json'), 'utf8'))
const { recording, exit = 0, complaint = '', does } = plan.length > 1 ? plan.shift() : plan[0]
writeFileSync(join(here, name + '.json'), JSON.stringify(plan))
if (does) new Function('files', does)({ readFileSync, writeFileSync })
if (recording) process.stdout.write(readFileSync(recording, 'utf8').replaceAll('/home/user/project', JSON.stringify(process.cwd()).slice(1, -1)))
process.stderr.write(complaint)
process.exitCode = exit
`

/** What the real program printed. */
export function recording(agent: AgentName, name: string): string {
  return fileURLToPath(new URL(`../fixtures/agents/${agent}/stream/${name}.jsonl`, import.meta.url))
}

/** Programs of these names on a search path of their own; each prints what it is told, run by run. */
export async function standInAgents(folder: string, agents: Partial<Record<AgentName, StandIn[]>>) {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'stand-in.mjs'), SCRIPT)
  for (const [agent, plan] of Object.entries(agents)) {
    const { program } = AGENTS[agent as AgentName]
    await writeFile(join(folder, `${program}.json`), JSON.stringify(plan))
    const shell = `#!/bin/sh\nexec "${process.execPath}" "${folder}/stand-in.mjs" ${program} "$@"\n`
    await writeFile(join(folder, program), shell, { mode: 0o755 })
    const batch = `@"${process.execPath}" "%~dp0stand-in.mjs" ${program} %*\r\n`
    await writeFile(join(folder, `${program}.cmd`), batch)
  }
  return {
    path: [folder, process.env.PATH].join(delimiter),
    given: async (): Promise<Given[]> =>
      (await readFile(join(folder, 'given.jsonl'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  }
}
