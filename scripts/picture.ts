/** Draws docs/pictures/demo.svg, the picture in the README, from what `ralph demo` really prints. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const LINE_HEIGHT = 19
const CHARACTER_WIDTH = 7.8
const MARGIN = 24
const COLOURS: Record<string, string> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  36: '#79c0ff',
  2: '#8b949e',
}
const BOLD = '1'

const { stdout } = spawnSync(process.execPath, ['bin/ralph.js', 'demo'], {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
})
const lines = stdout.trimEnd().split('\n')
const ESCAPES = /\x1b\[([\d;]*)m/
const width =
  Math.max(...lines.map((line) => line.replaceAll(new RegExp(ESCAPES, 'g'), '').length)) * CHARACTER_WIDTH +
  2 * MARGIN
const height = lines.length * LINE_HEIGHT + 2 * MARGIN

function spans(line: string): string {
  let colour = '#e6edf3'
  let weight = 'normal'
  return line
    .split(/(\x1b\[[\d;]*m)/)
    .map((piece) => {
      const code = piece.match(ESCAPES)?.[1]
      if (code === undefined)
        return piece === ''
          ? ''
          : `<tspan fill="${colour}" font-weight="${weight}">${escapeXml(piece)}</tspan>`
      if (code === BOLD) weight = 'bold'
      else if (code === '22') [weight, colour] = ['normal', '#e6edf3']
      else colour = COLOURS[code] ?? '#e6edf3'
      return ''
    })
    .join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const rows = lines.map(
  (line, at) =>
    `<text x="${MARGIN}" y="${MARGIN + (at + 0.8) * LINE_HEIGHT}" xml:space="preserve">${spans(line)}</text>`,
)
writeFileSync(
  `${root}/docs/pictures/demo.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
<title>What ralph demo prints: the same agent on the same tasks, without and with memory</title>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
${rows.join('\n')}
</svg>
`,
)
