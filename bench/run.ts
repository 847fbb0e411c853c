/**
 * Runs every benchmark of ours alone, or those named: `npm run bench -- commands search`. The comparison with others takes longer and
 * installs them, so that it is run by its name: `npm run bench -- peers`. Options after one name are that one's.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const alone = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => name.slice(0, -3))
const programs = new Map([...alone.map((name) => [name, `${name}.ts`] as const), ['peers', 'peers/run.ts']])

const words = process.argv.slice(2)
const firstOption = words.findIndex((word) => word.startsWith('-'))
const wanted = firstOption < 0 ? words : words.slice(0, firstOption)
const options = firstOption < 0 ? [] : words.slice(firstOption)
const unknown = wanted.find((name) => !programs.has(name))
if (unknown !== undefined)
  refuse(`there is no benchmark "${unknown}"`, `there are ${[...programs.keys()].join(', ')}`)
if (options.length > 0 && wanted.length !== 1)
  refuse(`${options[0]} belongs to one benchmark`, 'for example npm run bench -- peers --sizes 1000')

// It is for whoever runs to stop cleanly: we wait for that.
process.on('SIGINT', () => undefined)
for (const name of wanted.length > 0 ? wanted : alone) {
  console.log(`\n── ${name} ──`)
  const child = spawn(process.execPath, [`${folder}${programs.get(name)}`, ...options], { stdio: 'inherit' })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) process.exitCode = status ?? 1
  if (status === null || status === 130) break
}

function refuse(problem: string, hint: string): never {
  console.error(`${problem}\n  ${hint}`)
  process.exit(2)
}
