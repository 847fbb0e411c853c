import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { PdfReader } from '../../src/documents/pdf/read-pdf.ts'
import { madePdf } from '../documents/made-pdf.ts'

/** PDFs that want to run, to fetch, to go round in circles or to fill the memory: read for their text, or refused in words. */
const PAGE = [[{ text: 'zebra: an honest page' }]]

/** The catalog replaced by one of these, of the same length or longer: readers find objects again by themselves. */
const altered = (from: string, to: string) =>
  Buffer.from(madePdf(PAGE).toString('latin1').replace(from, to), 'latin1')

const bomb = () => {
  const packed = deflateSync(Buffer.alloc(40 * 1024 * 1024, ' ')).toString('latin1')
  const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`
  return altered(
    /<< \/Length \d+ >>\nstream\n[\s\S]*?endstream/.exec(madePdf(PAGE).toString('latin1'))![0],
    stream,
  )
}

const HOSTILE: Record<string, () => Buffer> = {
  'that opens with a script': () =>
    altered(
      '/Type /Catalog',
      '/Type /Catalog /OpenAction << /S /JavaScript /JS (app.launchURL\\("http://evil.example"\\)) >>',
    ),
  'that starts a program': () =>
    altered('/Type /Catalog', '/Type /Catalog /OpenAction << /S /Launch /F (/bin/sh) >>'),
  'that fetches': () =>
    altered('/Type /Catalog', '/Type /Catalog /OpenAction << /S /URI /URI (http://evil.example) >>'),
  'with a file inside': () =>
    altered('/Type /Catalog', '/Type /Catalog /Names << /EmbeddedFiles << /Names [(x) 2 0 R] >> >>'),
  'whose pages are their own children': () => altered('/Kids [4 0 R]', '/Kids [2 0 R]'),
  'whose page is its own parent': () => altered('/Parent 2 0 R', '/Parent 4 0 R'),
  'of a billion pages': () => altered('/Count 1 ', '/Count 1000000000 '),
  'whose content is its own length': () => altered('/Length', '/Length 5 0 R /Was'),
  'that unpacks to 40 MB': bomb,
  'nested a hundred thousand deep': () =>
    altered('/Type /Catalog', `/Type /Catalog /X ${'['.repeat(100_000)}`),
  'whose table of objects leads to itself': () => altered('/Root 1 0 R', '/Root 1 0 R /Prev 15'),
  'that ends after its first line': () => madePdf(PAGE).subarray(0, 12),
  'that is none': () => Buffer.from('%PDF-1.7\n<script>alert(1)</script>'),
}

describe('a PDF', () => {
  const reader = new PdfReader()
  afterAll(() => reader.close())

  it.each(Object.entries(HOSTILE))('%s', { timeout: 120_000 }, async (_, make) => {
    const text = await reader.read(new Uint8Array(make())).then(
      ({ pages }) => pages.flatMap(({ lines }) => lines.map((line) => line.text)).join('\n'),
      (error: Error) => {
        expect(error.name).toBe('RalphError')
        return error.message
      },
    )
    expect(text.length).toBeLessThan(10_000)
    expect(text).not.toMatch(/evil\.example|\/bin\/sh|alert\(1\)/)
    // The next one is read as if nothing had been.
    const { pages } = await reader.read(new Uint8Array(madePdf(PAGE)))
    expect(pages[0]!.lines[0]!.text).toBe('zebra: an honest page')
  })
})
