import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { withFileLock } from '../../src/files/file-lock.ts'
import { makeOwnFolder } from '../../src/files/own-files.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/chromium', import.meta.url))

/** Why there is no browser to test with, or undefined. */
export const noBrowser: string | undefined =
  process.env['RALPH_TEST_CHROMIUM'] || (process.platform === 'linux' && process.arch === 'x64')
    ? undefined
    : 'npm has a Chromium for Linux on x64 only; name your own in RALPH_TEST_CHROMIUM'

/** In one process the first profile that is closed takes the browser with it; and what guards a page is to be tested. */
const UNLIKE_A_BROWSER = new Set([
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
])

/** As a person's browser, with nothing of theirs. */
export async function launchChromium(): Promise<Browser> {
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
  return { path, args: packed.args.filter((arg) => !UNLIKE_A_BROWSER.has(arg)) }
}

/** Until a view has its heading and nothing in it is still being loaded. */
export async function whenDrawn(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  const loading = page.locator('main .loading')
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' })
}
