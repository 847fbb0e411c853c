import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Journal, type JournalItem } from '../../src/feature-memory/journal.ts'
import { toJournalLine } from '../../src/feature-memory/record.ts'
import { iteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function openJournal() {
  const folder = await temporaryFolder()
  const journal = new Journal({
    path: join(folder, 'auth.jsonl'),
    cacheDir: join(folder, 'cache'),
    name: 'auth',
  })
  const add = async (...summaries: string[]) =>
    journal.append((first) =>
      summaries.map((summary, at) => iteration({ summary, iterationNumber: first + at })),
    )
  const all = async () => {
    const items: JournalItem[] = []
    for await (const item of journal.items()) items.push(item)
    return items
  }
  const summaries = async () =>
    (await all()).map((item) => (item.kind === 'record' ? item.record.summary : `damage: ${item.reason}`))
  return { folder, journal, add, all, summaries }
}

describe('journal', () => {
  it('gives back what was appended, numbered from 1', async () => {
    const { journal, add, all } = await openJournal()
    await add('one')
    await add('two', 'three')
    expect(
      (await all()).map(
        (item) => item.kind === 'record' && [item.record.iterationNumber, item.record.summary],
      ),
    ).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ])
    expect((await readFile(journal.path, 'utf8')).endsWith('\n')).toBe(true)
  })

  it('is empty before the first append', async () => {
    expect(await (await openJournal()).all()).toEqual([])
  })

  it('sets a torn last line aside and goes on with a fresh one', async () => {
    const { journal, add, summaries } = await openJournal()
    await add('kept')
    await appendFile(journal.path, '{"version":1,"record":{"iteration_number":2,"summ')
    expect(await summaries()).toEqual(['kept', 'damage: not a JSON object'])
    await add('next')
    expect(await summaries()).toEqual(['kept', 'next'])
    expect(await readFile(`${journal.path}.torn`, 'utf8')).toContain('"summ')
    expect(await journal.setAside()).toBe(1)
  })

  it('keeps a whole last line whose line feed an editor left out', async () => {
    const { journal, add, summaries } = await openJournal()
    await writeFile(journal.path, toJournalLine(iteration({ summary: 'by hand', iterationNumber: 7 })))
    await add('next')
    expect(await summaries()).toEqual(['by hand', 'next'])
    expect(await journal.setAside()).toBe(0)
  })

  it('counts on from the highest number, also after a merge put it in the middle', async () => {
    const { journal, add, all } = await openJournal()
    const lines = [9, 3].map((iterationNumber) => `${toJournalLine(iteration({ iterationNumber }))}\n`)
    await writeFile(journal.path, lines.join(''))
    await add('after merge')
    await writeFile(
      journal.path,
      `${toJournalLine(iteration({ iterationNumber: 30 }))}\n${await readFile(journal.path, 'utf8')}`,
    )
    await add('after pull')
    expect((await all()).map((item) => item.kind === 'record' && item.record.iterationNumber)).toEqual([
      30, 9, 3, 10, 31,
    ])
  })

  it.each([
    ['a byte order mark', (line: string) => `\uFEFF${line}\n`, []],
    ['carriage returns', (line: string) => `${line}\r\n`, []],
    ['blank lines', (line: string) => `\n\n${line}\n\n`, []],
    ['a line that is no JSON', (line: string) => `hello\n${line}\n`, [[1, 'not a JSON object']]],
    [
      'another version',
      (line: string) => `{"version":99,"record":{}}\n${line}\n`,
      [[1, 'journal entry of version 99']],
    ],
    [
      'JSON that is no entry',
      (line: string) => `[1]\n${line}\n`,
      [[1, 'not a journal entry (no "version" and "record")']],
    ],
    ['a cut UTF-8 character', (line: string) => `${line}\n{"a":"\xf0`, [[2, 'not a JSON object']]],
  ])('reads on past %s', async (_, content, damage) => {
    const { journal, all } = await openJournal()
    await writeFile(journal.path, content(toJournalLine(iteration({ summary: 'survivor' }))))
    const items = await all()
    expect(items.filter((item) => item.kind === 'record').map((item) => item.record.summary)).toEqual([
      'survivor',
    ])
    expect(items.filter((item) => item.kind === 'damage').map((item) => [item.line, item.reason])).toEqual(
      damage,
    )
  })

  it('names the field of an invalid record', async () => {
    const { journal, all } = await openJournal()
    const line = toJournalLine(iteration()).replace('"failure"', '"exploded"')
    await writeFile(journal.path, `${line}\n`)
    expect(await all()).toMatchObject([
      { kind: 'damage', line: 1, reason: expect.stringContaining('outcome') },
    ])
  })

  it('reads on from a position, and from the start when the file was changed before it', async () => {
    const { journal, add } = await openJournal()
    await add('one', 'two')
    const read = (since?: Parameters<Journal['read']>[0]) =>
      journal.read(since, async ({ restarted, items, position }) => {
        const seen: string[] = []
        for await (const item of items) if (item.kind === 'record') seen.push(item.record.summary)
        return { restarted, seen, position: await position() }
      })
    const { position } = await read()
    await add('three')
    expect(await read(position)).toMatchObject({ restarted: false, seen: ['three'] })
    const content = await readFile(journal.path, 'utf8')
    await writeFile(journal.path, content.replace('"one"', '"first"'))
    expect(await read(position)).toMatchObject({ restarted: true, seen: ['first', 'two', 'three'] })
    await truncate(journal.path, 10)
    expect(await read(position)).toMatchObject({ restarted: true, seen: [] })
  })

  it('removes records and keeps damaged lines', async () => {
    const { journal, add, summaries } = await openJournal()
    await add('keep', 'drop')
    await appendFile(journal.path, 'damaged\n')
    const { records: removed } = await journal.remove(
      () => true,
      (records) => records.filter(({ summary }) => summary === 'drop'),
    )
    expect(removed).toMatchObject([{ summary: 'drop' }])
    expect(await summaries()).toEqual(['keep', 'damage: not a JSON object'])
  })

  it('keeps every other byte when it removes, also of lines too long to be read', async () => {
    const { journal, add } = await openJournal()
    await add('keep', 'drop', 'last')
    const [keep, drop, last] = (await readFile(journal.path, 'utf8')).split('\n')
    const long = `{"padding":"${'x'.repeat(9_000_000)}"}`
    await writeFile(journal.path, `\uFEFF${keep}\r\n${long}\n\n${drop}\n  broken\n${last}`)
    await journal.remove(
      () => true,
      (records) => records.filter(({ summary }) => summary !== 'keep'),
    )
    expect(await readFile(journal.path, 'utf8')).toBe(`\uFEFF${keep}\r\n${long}\n\n  broken\n`)
  })

  it('reads from the end what it reads from the start', async () => {
    const { journal, add } = await openJournal()
    // Lines of many lengths, so that they begin and end anywhere in what is read at once.
    for (let at = 0; at < 40; at++)
      await add(`${at} ${'words '.repeat((at * 37) % 300)}`, `u ${'ü€😀'.repeat(at)}`)
    await appendFile(journal.path, `broken\n\n${'x'.repeat(9_000_000)}\n`)
    await add('the last')
    const forwards = await Array.fromAsync(journal.records())
    expect(forwards.length).toBe(81)
    expect(await Array.fromAsync(journal.newestFirst())).toEqual(forwards.toReversed())
  })

  it('acknowledges nothing that could not be read back', async () => {
    const { journal, add, summaries } = await openJournal()
    await add('kept')
    const tooLong = Array.from({ length: 100_000 }, (_, at) => ({
      path: `${'folder/'.repeat(12)}${at}.ts`,
      action: 'read' as const,
    }))
    await expect(
      journal.append((iterationNumber) => [{ ...iteration({ iterationNumber }), filesTouched: tooLong }]),
    ).rejects.toThrow(/longer than/)
    await expect(
      journal.append(() => [{ ...iteration(), iterationNumber: Number.MAX_SAFE_INTEGER }]),
    ).rejects.toThrow(/iteration_number/)
    expect(await summaries()).toEqual(['kept'])
  })

  it('does not end with a number that somebody put at the end of all numbers', async () => {
    const { journal, add, summaries } = await openJournal()
    await add('first')
    const line = (number: number) =>
      toJournalLine({ ...iteration({ summary: 'odd' }), iterationNumber: number })
    await appendFile(journal.path, `${line(Number.MAX_SAFE_INTEGER)}\n`)
    await add('second')
    expect(await summaries()).toEqual(['first', expect.stringContaining('damage'), 'second'])
    await appendFile(journal.path, `${line(1_000_000_000)}\n`)
    await expect(add('third')).rejects.toMatchObject({
      hint: expect.stringContaining('forget --iteration 1000000000'),
    })
  })

  it('numbers uniquely when the cache is deleted under its writers', async () => {
    const { folder, all } = await openJournal()
    await mkdir(join(folder, 'acknowledged'))
    const writer = fileURLToPath(new URL('../support/journal-writer.ts', import.meta.url))
    const processes = Array.from({ length: 4 }, (_, at) =>
      spawn(process.execPath, [writer, folder, `w${at}`, '40'], { stdio: 'inherit' }),
    )
    const clearing = setInterval(
      () => rmSync(join(folder, 'cache'), { recursive: true, force: true, maxRetries: 20 }),
      5,
    )
    await Promise.all(processes.map((child) => once(child, 'exit')))
    clearInterval(clearing)
    const numbers = (await all()).map((item) => item.kind === 'record' && item.record.iterationNumber)
    expect(numbers.length).toBe(160)
    expect(new Set(numbers).size).toBe(160)
  })

  it('says what is wrong when a file stands where the folder should be', async () => {
    const { folder } = await openJournal()
    await writeFile(join(folder, 'file'), '')
    const journal = new Journal({
      path: join(folder, 'file', 'auth.jsonl'),
      cacheDir: join(folder, 'cache'),
      name: 'auth',
    })
    await expect(journal.append(() => [iteration()])).rejects.toThrow(/is not a folder/)
  })

  it('loses nothing and numbers uniquely with many processes, some of them killed', async () => {
    const { folder, journal, all } = await openJournal()
    await mkdir(join(folder, 'acknowledged'))
    const writer = fileURLToPath(new URL('../support/journal-writer.ts', import.meta.url))
    const processes = Array.from({ length: 8 }, (_, at) =>
      spawn(process.execPath, [writer, folder, `w${at}`, '25'], { stdio: 'inherit' }),
    )
    setTimeout(() => processes.slice(0, 3).map((child) => child.kill('SIGKILL')), 350)
    await Promise.all(processes.map((child) => once(child, 'exit')))
    await journal.append((first) => [iteration({ summary: 'last', iterationNumber: first })])

    const items = await all()
    expect(items.filter((item) => item.kind === 'damage')).toEqual([])
    const records = items.flatMap((item) => (item.kind === 'record' ? [item.record] : []))
    const numbers = records.map((record) => record.iterationNumber)
    expect(new Set(numbers).size).toBe(numbers.length)
    const stored = new Set(records.map((record) => record.summary))
    const acknowledged = (
      await Promise.all(
        processes.map((_, at) => readFile(join(folder, 'acknowledged', `w${at}`), 'utf8').catch(() => '')),
      )
    ).flatMap((text) => text.split('\n').filter((line) => line !== ''))
    expect(acknowledged.length).toBeGreaterThanOrEqual(5 * 25)
    expect(acknowledged.filter((summary) => !stored.has(summary))).toEqual([])
  })
})
