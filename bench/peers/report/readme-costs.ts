import { between, markdownTable } from '../../../scripts/measured/measured-page.ts'
import type { Performance, SizeFigures } from './figures.ts'
import { short } from './numbers.ts'

const MARKS = [
  '<!-- figures of docs/performance.json, written by npm run bench -- peers --write -->',
  '<!-- end of the costs -->',
] as const

/** The README with its costs replaced by these. */
export function readmeWithCosts(readme: string, figures: Performance): string {
  return between(readme, MARKS, costsTable(figures))
}

function costsTable(figures: Performance): string {
  const { peers, sizes, embedding, append } = figures
  const row = (what: string, of: (size: SizeFigures) => number | undefined, documents: number) => {
    const figureFor = (name: string) => {
      const size = peers.find((peer) => peer.name === name)?.sizes.find((one) => one.documents === documents)
      const value = size && of(size)
      return value === undefined ? (size?.stopped ?? '–') : short(value)
    }
    return [what, figureFor('ours'), ...COMPARED.map(figureFor)]
  }
  const largest = sizes.at(-1)!
  const rows = [
    ...sizes.map((size) =>
      row(`search in ${size.toLocaleString('en')}, ms`, ({ searched }) => searched?.medianMs, size),
    ),
    row(
      `memory while searching ${largest.toLocaleString('en')}, MB`,
      ({ searched }) => searched?.peakMb,
      largest,
    ),
    row(
      `one more into ${largest.toLocaleString('en')}, ms`,
      ({ searched }) => searched?.one.medianMs,
      largest,
    ),
    ['installed, MB', ...['ours', ...COMPARED].map((name) => installed(figures, name))],
  ]
  const titles = COMPARED.map((name) => peers.find((peer) => peer.name === name)?.title ?? name)
  const quiet = figures.quiet.isQuiet
    ? 'on a quiet machine'
    : 'on a machine that was **not** quiet, so that only ratios count'
  const [native, wasm] = embedding
  return `${markdownTable(['', 'Ralph Memory', ...titles], rows)}

Measured on ${figures.date} ${quiet} (${figures.machine}), all in one run on the same texts and vectors; ${onlyHalf(figures)}.
From a cold start: ${startsSentence(figures)}. A record is on the disk after ${short(append.recordMs)} ms (the disk alone: ${short(append.flushMs)}); one
question is embedded in ${short(native?.questionMs ?? Number.NaN)} ms (WebAssembly: ${short(wasm?.questionMs ?? Number.NaN)}).`
}

/** Those that fit beside each other; the page has all. */
const COMPARED = ['sqlite-vec', 'lancedb', 'orama', 'vectra', 'qmd', 'server-memory']

/** Whoever searches by one of the two has less to do. */
function onlyHalf({ peers }: Performance): string {
  return COMPARED.flatMap((name) => peers.filter((peer) => peer.name === name))
    .filter(({ searches }) => searches !== 'meaning and words')
    .map(({ title, searches }) => `${title} by ${searches} alone`)
    .join(', ')
}

function installed({ peers }: Performance, name: string): string {
  const value = peers.find((peer) => peer.name === name)?.installedMb
  return value === undefined ? '–' : short(value)
}

function startsSentence({ starts }: Performance): string {
  const ms = (command: string) => {
    const one = starts.find((start) => start.command === command)
    return one ? `${short(one.medianMs)} ms` : '–'
  }
  return (
    `\`ralph memory search\` ${ms('ralph memory search')} (\`qmd search\`, words alone, ${ms('qmd search')}; \`node -e 0\` ${ms('node -e 0')}), ` +
    `first answer of the MCP server ${ms('ralph mcp')} (\`server-memory\` ${ms('mcp-server-memory')}), a hook before a tool ${ms('ralph hook PreToolUse')}`
  )
}
