import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeDisposableFile } from '../../src/files/atomic-write.ts'
import { readOwnFile, writeOwnFile } from '../../src/files/own-files.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** Something is one thing when it is looked at and another when it is used. */
const SWAPPING = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs')
  const [folder, outside] = process.argv.slice(1)
  const tried = (work) => { try { work() } catch {} }
  process.stdout.write('.')
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    tried(() => renameSync(folder, folder + '.aside'))
    tried(() => rmSync(folder, { recursive: true, force: true }))
    tried(() => symlinkSync(outside, folder))
    tried(() => rmSync(folder, { recursive: true, force: true }))
    tried(() => renameSync(folder + '.aside', folder))
  }`

describe.skipIf(process.platform === 'win32')('a folder that is swapped for a link again and again', () => {
  it('leads no line of ours out, and brings none of another in', async () => {
    const root = await temporaryFolder()
    const [cache, outside] = [join(root, 'shop/.ralph/cache'), join(root, 'outside')]
    for (const folder of [cache, outside]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(outside, 'there.json'), 'a stranger’s')
    writeFileSync(join(outside, 'kept.json'), 'a stranger’s')
    const swapping = spawn(process.execPath, ['-e', SWAPPING, cache, outside])
    onTestFinished(() => void swapping.kill('SIGKILL'))
    await once(swapping.stdout, 'data')
    let [written, refused] = [0, 0]
    const read = new Set<string>()
    const attempt = (work: () => void) => {
      try {
        work()
        written++
      } catch {
        refused++
      }
    }
    for (const until = Date.now() + 1_500; Date.now() < until; ) {
      attempt(() => writeOwnFile(join(cache, 'kept.json'), 'ours'))
      attempt(() => writeOwnFile(join(cache, 'there.json'), 'ours\n', { access: 'append' }))
      attempt(() => writeDisposableFile(join(cache, 'made.json'), 'ours'))
      attempt(() => read.add(readOwnFile(join(cache, 'there.json')).toString('utf8')))
    }
    tried(written + refused > 100 ? 4 : 0)
    expect(written).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(50)
    expect(readFileSync(join(outside, 'there.json'), 'utf8')).toBe('a stranger’s')
    expect(readFileSync(join(outside, 'kept.json'), 'utf8')).toBe('a stranger’s')
    expect([...read].join('')).not.toContain('stranger')
    // What was only made there, before that was seen, is empty.
    for (const name of readdirSync(outside)) {
      const path = join(outside, name)
      if (existsSync(path)) expect(readFileSync(path, 'utf8'), name).not.toContain('ours')
    }
  })
})
