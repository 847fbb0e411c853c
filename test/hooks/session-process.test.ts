import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, expect, it } from 'vitest'
import { sessionProcess } from '../../src/hooks/session-process.ts'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

async function waiting(...words: string[]): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e3)', ...words])
  started.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child.pid!
}

it.skipIf(process.platform !== 'linux')(
  'the line that calls us from the search path is not the session, but whoever ran it (elsewhere one cannot look)',
  async () => {
    expect(sessionProcess(await waiting('ralph', 'hook', 'Stop'))?.pid).toBe(process.pid)
    const other = await waiting('something', 'else')
    expect(sessionProcess(other)?.pid).toBe(other)
  },
)
