/** Runs every benchmark, or those named: `npm run bench -- commands search`. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => name.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
for (const name of names) {
  console.log(`\n── ${name} ──`)
  const { status } = spawnSync(process.execPath, [`${folder}${name}.ts`], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
