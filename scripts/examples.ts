/** Runs every program in examples/ against the built package; each must end by itself with exit code 0. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../examples/', import.meta.url))
const programs = readdirSync(folder).filter((name) => name.endsWith('.ts'))
for (const name of programs) {
  const { status } = spawnSync(process.execPath, [folder + name], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
  })
  if (status !== 0) {
    console.error(`examples/${name} failed (exit code ${status})`)
    process.exit(1)
  }
  console.log(`examples/${name} runs`)
}
