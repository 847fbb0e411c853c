import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'

export { noBrowser } from './chromium.ts'

let running: Promise<Browser> | undefined

/** One for all tests of a file. */
async function browser(): Promise<Browser> {
  running ??= launchChromium()
  return running
}

afterAll(async () => (await running)?.close())

export interface OpenedPage {
  page: Page
  /** What the console or the page itself complained of. */
  complaints: string[]
  /** Addresses outside the dashboard that the page asked for. */
  elsewhere: string[]
}

/** Opens an address in a fresh profile, and notes whatever the browser complains of. */
export async function openPage(
  address: string,
  options: BrowserContextOptions = {},
  /** Run in the page before anything of its own. */
  script?: string,
): Promise<OpenedPage> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  if (script !== undefined) await context.addInitScript(script)
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
