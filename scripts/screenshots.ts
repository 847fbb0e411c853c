/**
 * Takes the pictures of the dashboard in docs/pictures: the demo's project, in a real browser, in both themes, on a desk
 * and on a phone. `npm run screenshots`, or some of them: `npm run screenshots -- overview`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext } from 'playwright-core'
import { startDashboard } from '../src/dashboard/serve.ts'
import { makeSample } from '../src/demo/demo.ts'
import { openRalph } from '../src/ralph.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { launchChromium, whenDrawn } from '../test/support/chromium.ts'
import { palettePng } from './palette-png.ts'

interface Picture {
  name: string
  address: string
  /** Pressed before the picture is taken. */
  keys?: readonly string[]
  phone?: boolean
  dark?: boolean
}

const PICTURES: readonly Picture[] = [
  { name: 'overview', address: '/' },
  { name: 'overview-dark', address: '/', dark: true },
  { name: 'overview-phone', address: '/', phone: true, dark: true },
  { name: 'errors', address: '/features/checkout?tab=errors' },
  { name: 'learnings', address: '/features/checkout?tab=learnings', dark: true },
  { name: 'iteration', address: '/features/checkout/iterations/22' },
  { name: 'search', address: '/search?q=lost+cent' },
  { name: 'gate', address: '/gates', keys: ['j', 'Enter'], dark: true },
  { name: 'gate-phone', address: '/gates', keys: ['j', 'Enter'], phone: true },
  { name: 'map', address: '/map' },
  { name: 'effect', address: '/effect' },
]
const DESK = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }
const LARGEST = 150_000

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const wanted = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
await builtCommand()
const place = mkdtempSync(join(tmpdir(), 'ralph-pictures-'))
try {
  const { project, home } = await makeSample({ folder: place, onIteration: () => undefined })
  const ralph = await openRalph({ project, home, via: 'page', onNotice: () => undefined })
  const dashboard = await startDashboard({ ralph, port: 0, readOnly: false })
  const browser = await launchChromium()
  for (const picture of PICTURES.filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)),
  ))
    await take(browser, dashboard.address, picture)
  await browser.close()
  await dashboard.close()
  await ralph.close()
} finally {
  rmSync(place, { recursive: true, force: true })
}

async function take(
  browser: Browser,
  start: string,
  { name, address, keys = [], phone, dark }: Picture,
): Promise<void> {
  const context = await browser.newContext({
    viewport: phone ? PHONE : DESK,
    colorScheme: dark ? 'dark' : 'light',
    // Nothing that moves is caught halfway.
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(start)
  await page.goto(new URL(address, start).href)
  await whenDrawn(page)
  for (const key of keys) await page.keyboard.press(key)
  if (keys.includes('Enter')) await page.waitForURL((url) => url.pathname !== address)
  await whenDrawn(page)
  const picture = await smaller(context, await page.screenshot())
  await context.close()
  if (picture.length > LARGEST)
    throw new Error(`${name}.png has ${picture.length} bytes: more than anybody waits for`)
  writeFileSync(join(folder, `${name}.png`), picture)
  console.log(`${name}.png  ${Math.round(picture.length / 1_000)} kB`)
}

/** The browser unpacks what it has packed; what is made of it is packed here. */
async function smaller(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage()
  const { width, height, pixels } = await page.evaluate<{
    width: number
    height: number
    pixels: string
  }>(`(async () => {
    const bytes = Uint8Array.fromBase64(${JSON.stringify(png.toString('base64'))})
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = picture
    const drawing = new OffscreenCanvas(width, height).getContext('2d')
    drawing.drawImage(picture, 0, 0)
    return { width, height, pixels: new Uint8Array(drawing.getImageData(0, 0, width, height).data.buffer).toBase64() }
  })()`)
  return palettePng(Buffer.from(pixels, 'base64'), width, height)
}
