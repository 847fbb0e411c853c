import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptJson, keptJsonToChange, removeKeptJson } from '../../src/files/kept-json.ts'
import { z } from '../../src/text/schema.ts'
import { temporaryFolder } from '../support/temporary.ts'

const { parse } = z.object({ version: z.literal(1) })

async function damagedFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'notes.json')
  writeFileSync(file, '{"version": 1, "kept by some')
  return file
}

describe('a file of notes', () => {
  it('is read where it can be, and is nothing where there is none', async () => {
    const file = join(await temporaryFolder(), 'notes.json')
    expect(keptJson(file, parse)).toBeUndefined()
    expect(keptJsonToChange(file, parse)).toBeUndefined()
    writeFileSync(file, '{"version": 1}')
    expect(keptJson(file, parse)).toEqual({ version: 1 })
    expect(keptJsonToChange(file, parse)).toEqual({ version: 1 })
  })

  it('is left alone by whoever only reads, also when it is damaged', async () => {
    const file = await damagedFile()
    expect(keptJson(file, parse)).toBeUndefined()
    expect(readdirSync(join(file, '..'))).toEqual(['notes.json'])
  })

  it('is moved aside before it is written when it is damaged, over none that lies there already', async () => {
    const file = await damagedFile()
    expect(keptJsonToChange(file, parse)).toBeUndefined()
    writeFileSync(file, 'again')
    expect(keptJsonToChange(file, parse)).toBeUndefined()
    expect(readFileSync(`${file}.damaged`, 'utf8')).toContain('kept by some')
    expect(readFileSync(`${file}.damaged-2`, 'utf8')).toBe('again')
    removeKeptJson(file)
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  it('is not written over when nobody knows what it holds', async () => {
    const folder = await temporaryFolder()
    expect(() => keptJsonToChange(folder, parse)).toThrow('no regular file')
  })
})
