import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readReceipts } from '../../../src/receipts/read.ts'
import { AXE, barriers } from '../../support/axe.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { whenDrawn } from '../../support/chromium.ts'
import { type DashboardWorld, storyWorld } from '../../support/dashboard.ts'

const ROUTES = readFileSync(new URL('../../../src/dashboard/page/routes.ts', import.meta.url), 'utf8')
const WIDTHS = [360, 800, 1280] as const
const THEMES = ['light', 'dark'] as const

interface Look {
  view: string
  /** Where it is, or how that is found out. */
  at: string | ((world: DashboardWorld) => Promise<string>)
  /** Something of the story that stands there: the view is not empty. */
  shows: string
}

/** Of every view what to look at. One that is missing here fails. */
const LOOKS: readonly Look[] = [
  { view: '/', at: '/', shows: 'Discount codes' },
  { view: '/search', at: '/search?q=lost+cent', shows: 'toFixed rounds 1999.5 down' },
  ...[
    { tab: 'timeline', shows: 'Percent codes with floating point' },
    { tab: 'errors', shows: 'AssertionError: order 17' },
    { tab: 'files', shows: 'src/cart/total.ts' },
    { tab: 'learnings', shows: 'Keep amounts in whole cents' },
    { tab: 'tasks', shows: 'Receipt as a PDF' },
  ].map(({ tab, shows }) => ({ view: '/features/:feature', at: `/features/checkout?tab=${tab}`, shows })),
  {
    view: '/features/:feature/iterations/:number',
    at: '/features/checkout/iterations/22',
    shows: 'Percent codes with floating point',
  },
  { view: '/effect', at: '/effect', shows: 'Too little data' },
  { view: '/gates', at: '/gates', shows: 'Cancel an order' },
  { view: '/gates/:id', at: async (world) => `/gates/${await aGate(world)}`, shows: 'GRACE_MS' },
  { view: '/knowledge', at: '/knowledge', shows: 'Knowledge' },
  { view: '/knowledge', at: '/knowledge?tab=entries', shows: 'Card numbers must not reach our log' },
  { view: '/knowledge', at: '/knowledge?tab=staged', shows: 'Two people press the button' },
  {
    view: '/knowledge/:id',
    at: async ({ ralph }) => `/knowledge/${(await ralph.knowledge.list()).entries[0]!.id}`,
    shows: 'Shipping as a line of its own',
  },
  { view: '/conversations', at: '/conversations', shows: 'Why the totals are off by a cent' },
  {
    view: '/conversations/one',
    at: async (world) => `/conversations/one?id=${await aConversation(world)}`,
    shows: 'Who has to agree',
  },
  {
    view: '/conversations/exchange',
    at: async (world) => {
      const memory = await world.ralph.openConversations()
      const { exchanges } = await memory.read(await aConversation(world))
      return `/conversations/exchange?id=${exchanges[0]!.id}`
    },
    shows: 'What is left for the checkout',
  },
  { view: '/workers', at: '/workers', shows: 'Summaries of conversations' },
  { view: '/receipts', at: '/receipts', shows: 'failed attempt' },
  {
    view: '/receipts/:id',
    at: async ({ ralph }) => `/receipts/${(await readReceipts(ralph.config.paths.receipts)).receipts[0]!.id}`,
    shows: 'checkout',
  },
  {
    view: '/documents/:id',
    at: async (world) => `/documents/${await aPieceOfADocument(world)}`,
    shows: 'Round once, at the end',
  },
  { view: '/map', at: '/map', shows: 'Discount codes' },
  { view: '/settings', at: '/settings', shows: 'embedder.provider' },
  { view: '/doctor', at: '/doctor', shows: 'journals' },
]

async function aGate({ ralph }: DashboardWorld): Promise<string> {
  const gates = await (await ralph.openKnowledge()).gates.waiting()
  return gates.find(({ taskTitle }) => taskTitle === 'Discount codes')!.id
}

async function aConversation({ ralph }: DashboardWorld): Promise<string> {
  const { conversations } = await (await ralph.openConversations()).list()
  return conversations[0]!.id
}

async function aPieceOfADocument({ ralph }: DashboardWorld): Promise<string> {
  const file = join(ralph.config.project, 'handbook.md')
  writeFileSync(
    file,
    `# Money\n\n## Rounding\n\nRound once, at the end.\n\n${'wide '.repeat(200)}${'w'.repeat(400)}\n`,
  )
  await ralph.documents.add([file])
  return (await ralph.documents.search('round once at the end', { minScore: 0 }))[0]!.piece.id
}

const redrawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

describe.skipIf(noBrowser)('every view', () => {
  const world = storyWorld()

  it('is looked at here', () => {
    const paths = [...ROUTES.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path!)
    expect([...new Set(LOOKS.map(({ view }) => view))].toSorted()).toEqual(paths.toSorted())
  })

  it.each(LOOKS)(
    '$view with "$shows": for everybody, at any width, in both themes',
    async ({ at, shows }) => {
      const address = typeof at === 'string' ? at : await at(world())
      const { page, complaints, elsewhere } = await openPage(world().at(address), {}, AXE)
      await whenDrawn(page)
      await page.getByRole('main').getByText(shows).first().waitFor()
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme })
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 })
          await redrawn(page)
          // A theme is other colours of the same page.
          const asked = theme === 'light' ? 'everything' : 'colours'
          expect.soft(await barriers(page, asked), `${theme}, ${width}`).toEqual([])
          const wide = await page.evaluate('document.documentElement.scrollWidth')
          expect.soft(wide, `${theme}, ${width}: its width`).toBeLessThanOrEqual(width)
        }
      }
      expect(complaints).toEqual([])
      expect(elsewhere).toEqual([])
    },
  )
})
