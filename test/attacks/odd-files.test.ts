import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { textLinesOf } from '../../src/files/lines.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

const LIFE = fileURLToPath(new URL('odd-files-life.ts', import.meta.url))
/** Each line takes a tenth of a second of work: whoever is silent for so long waits for a pipe. */
const SILENT_MS = 120_000

interface Outcome {
  file: string
  oddity: string
  odd: string[]
  unharmed: boolean
}

it.skipIf(process.platform === 'win32')(
  'whatever stands in place of a file of ours: nothing waits for it, nothing outside changes',
  async () => {
    const child = spawn(process.execPath, [LIFE, await temporaryFolder()])
    onTestFinished(() => void child.kill('SIGKILL'))
    const silence = setTimeout(() => child.kill('SIGKILL'), SILENT_MS)
    let last = ''
    child.stderr.on('data', (text) => {
      last = String(text)
      silence.refresh()
    })
    const outcomes: Outcome[] = []
    for await (const line of textLinesOf(child.stdout)) outcomes.push(JSON.parse(line))
    clearTimeout(silence)
    expect(child.signalCode, `it hung at ${last}`).toBeNull()
    expect(outcomes.length, last).toBeGreaterThan(80)
    tried(outcomes.length)
    expect(outcomes.filter(({ odd, unharmed }) => odd.length > 0 || !unharmed)).toEqual([])
  },
  600_000,
)
