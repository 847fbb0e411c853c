import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { withFileLock } from '../../src/files/file-lock.ts'
import { makeOwnFolder } from '../../src/files/own-files.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))

/** Why there is no browser to test with, or undefined. */
export const noBrowser: string | undefined =
  process.env['RALPH_TEST_CHROMIUM'] || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'npm has a Chromium for Linux on x64 only; name your own in RALPH_TEST_CHROMIUM'

let running: Promise<Browser> | undefined

/** One for all tests of a file. */
async function browser(): Promise<Browser> {
  running ??= launch()
  return running
}

afterAll(async () => (await running)?.close())

async function launch(): Promise<Browser> {
  const { path, args } = await executable()
  const quiet = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  return chromium.launch({ executablePath: path, args: [...args, ...quiet], headless: true })
}

/** The package brings it compressed: unpacked once, beside the other things that can be made again. */
async function executable(): Promise<{ path: string; args: string[] }> {
  const given = process.env['RALPH_TEST_CHROMIUM']
  if (given) return { path: given, args: ['--no-sandbox'] }
  const { default: packed } = await import('@sparticuz/chromium')
  makeOwnFolder(cache)
  const path = await withFileLock(join(cache, 'unpacking.lock'), async () => {
    const unpacked = join(cache, 'chromium')
    if (existsSync(unpacked)) return unpacked
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = cache
    try {
      return await packed.executablePath()
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
  })
  // In one process the first profile that is closed takes the browser with it.
  return { path, args: packed.args.filter((arg) => arg !== '--single-process') }
}

export interface OpenedPage {
  page: Page
  /** What the console or the page itself complained of. */
  complaints: string[]
  /** Addresses outside the dashboard that the page asked for. */
  elsewhere: string[]
}

/** Opens an address in a fresh profile, and notes whatever the browser complains of. */
export async function openPage(address: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const { host } = new URL(address)
  page.on('request', (request) => {
    if (new URL(request.url()).host !== host) elsewhere.push(request.url())
  })
  await page.goto(address)
  return { page, complaints, elsewhere }
}
