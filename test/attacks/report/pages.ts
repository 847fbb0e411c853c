import { readFileSync, writeFileSync } from 'node:fs'
import {
  between,
  fromRoot,
  type MeasuredPage,
  markdownTable,
} from '../../../scripts/measured/measured-page.ts'
import { ATTACK_KINDS } from '../registry.ts'
import { type CountedAttacks, sumOf } from './counted.ts'

const KEPT = fromRoot('docs/attacks.json')
const MARKS = ['<!-- attacks: made by npm run attacks -- --write -->', '<!-- end of attacks -->'] as const

export const ATTACK_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/attacks.md', made: () => attacksPage(keptAttacks()) },
  { path: 'SECURITY.md', made: (page) => between(page, MARKS, summary(keptAttacks())) },
]

export function keepAttacks(attacks: CountedAttacks): void {
  writeFileSync(KEPT, `${JSON.stringify(attacks, null, 2)}\n`)
}

function keptAttacks(): CountedAttacks {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as CountedAttacks
}

/** In words: "1,234 attacks of 20 kinds …". */
export function inWords(attacks: CountedAttacks): string {
  const tried = sumOf(attacks, (kind) => kind.tried).toLocaleString('en')
  const cases = sumOf(attacks, (kind) => kind.cases).toLocaleString('en')
  const through = sumOf(attacks, ({ through }) => through.length)
  return `${tried} attacks of ${attacks.kinds.length} kinds were tried in ${cases} cases; ${through} got through`
}

function ranWith({ measured: { date, version, commit, node, machine } }: CountedAttacks): string {
  return `${date}, version ${version} (${commit}), Node ${node}, ${machine}`
}

function summary(attacks: CountedAttacks): string {
  const rows = attacks.kinds.map(({ kind, tried, through }) => [
    ...[kind, seenAs(kind), tried.toLocaleString('en'), String(through.length)],
  ])
  return [
    `${inWords(attacks)} (${ranWith(attacks)}). What each of them is: [docs/attacks.md](docs/attacks.md).`,
    markdownTable(['attack', 'seen as', 'tried', 'got through'], rows),
  ].join('\n\n')
}

function seenAs(kind: string): string {
  const { seen } = ATTACK_KINDS.find((one) => one.kind === kind)!
  return seen.join(', ')
}

function attacksPage(attacks: CountedAttacks): string {
  const described = attacks.kinds.map(({ kind, cases, tried, through }) => {
    const { tried: what, seen, surface, cases: files } = ATTACK_KINDS.find((one) => one.kind === kind)!
    const names = [...new Set(files.map(({ file }) => `\`${file.replace('.test.ts', '')}\``))]
    const numbers = [cases, tried, through.length].map((number) => number.toLocaleString('en'))
    return [kind, what, surface, seen.join(', '), names.join(', '), ...numbers]
  })
  const head = [
    'attack',
    'what is tried',
    'comes in by',
    'seen as',
    'in `test/attacks/`',
    'cases',
    'tried',
    'got through',
  ]
  return `# Attacks

What is tried against Ralph Memory with every change, and what of it got through. ${inWords(attacks)}.
Beside them ${attacks.honest} cases of honest use run, which must go on working: a defence that refuses everything defends nothing.
Who may do what, and what is deliberately not defended: [SECURITY.md](../SECURITY.md).

${markdownTable(head, described)}

"Seen as" names where it got through elsewhere; "here" means that it got through in this product before it was mended. A case may try several
attacks: each is counted, and if one of them gets through, the case. The counts are those of a run, not of a list: \`npm run attacks\` runs them
all and prints this table; ${attacks.skipped} cases did not apply on this machine. Measured ${ranWith(attacks)}.
`
}
