/// <reference path="./pdfjs.d.ts" />
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.min.mjs'
import * as pdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'
import type { PdfPage } from './pdf-blocks.ts'
import { pageLines } from './pdf-line.ts'

/** Entry of the thread that reads PDFs, one after the other: whatever a file makes of the library, it can be ended. */

export interface PdfRequest {
  bytes: Uint8Array
}
export type PdfAnswer =
  | { pages: number; title?: string }
  | { page: PdfPage }
  | { failed: { name: string; message: string } }
  | { done: true }

/** How letters of Chinese, Japanese and Korean texts are numbered: beside the bundle, or in the library's own folder. */
const CMAPS = ['./cmaps/', '../cmaps/', '../../../node_modules/pdfjs-dist/cmaps/']

// Found by the library under this name: there is no further thread below this one.
Object.assign(globalThis, { pdfjsWorker: pdfWorker })

async function read({ bytes }: PdfRequest): Promise<void> {
  const cmaps = CMAPS.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync)
  const loading = getDocument({
    data: bytes,
    ...(cmaps !== undefined && { cMapUrl: cmaps, cMapPacked: true }),
    verbosity: 0,
    // Nothing of a file is fetched or drawn; the library runs nothing of it anyway.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
  })
  try {
    await tell(await loading.promise)
  } finally {
    await loading.destroy()
  }
}

async function tell(pdf: PDFDocumentProxy): Promise<void> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
  answer({ pages: pdf.numPages, ...(title !== '' && { title }) })
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    answer({ page: { number, lines: pageLines(items.filter((item) => 'str' in item)) } })
    page.cleanup()
  }
  answer({ done: true })
}

function answer(message: PdfAnswer): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (request: PdfRequest) => {
  read(request).catch((error: unknown) => {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    answer({ failed: { name, message } })
  })
})
