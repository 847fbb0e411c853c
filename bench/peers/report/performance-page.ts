import { markdownTable } from '../../../scripts/measured/measured-page.ts'
import { behind } from './behind.ts'
import type { PeerFigures, Performance, SizeFigures } from './figures.ts'
import { percent, short, times } from './numbers.ts'

/** The page docs/performance.md. */
export function performancePage(figures: Performance): string {
  return `# What it costs, beside what one would pick instead

<!-- made from docs/performance.json by npm run docs; written by npm run bench -- peers --write -->

${performanceText(figures)}
`
}

export function performanceText(figures: Performance): string {
  return [
    measuredText(figures),
    `![How search time, memory, disk and filling grow](pictures/growth.svg)`,
    ...section('Where Ralph Memory is behind', behindText(figures)),
    ...section('Search', searchText(figures)),
    ...section('What is found', foundText(figures)),
    ...section('Insert', insertText(figures)),
    ...section('Durable append', appendText(figures)),
    ...section('Import and rebuild', upkeepText(figures)),
    ...section('Memory and disk', roomText(figures)),
    ...section('From a cold start', startsText(figures)),
    ...section('The model', embeddingText(figures)),
    ...section('Who is compared, and how', comparedText(figures)),
    ...section('Not run', notRunText(figures)),
  ].join('\n\n')
}

function section(title: string, text: string): string[] {
  return [`## ${title}`, text]
}

function measuredText({
  date,
  version,
  commit,
  node,
  machine,
  processor,
  minutes,
  quiet,
  sizes,
}: Performance): string {
  const state = quiet.isQuiet
    ? `The machine was quiet: load ${quiet.load.toFixed(1)} on ${quiet.processors} processors before, and at ${quiet.looks} looks a bare node took at most ${quiet.waited.toFixed(2)} × its processor time.`
    : `**The machine was not quiet**: load ${quiet.load.toFixed(1)} on ${quiet.processors} processors before, ${quiet.noisyLooks} of ${quiet.looks} looks noisy, a bare node up to ${quiet.waited.toFixed(2)} × its processor time. Only ratios and processor time say anything.`
  return `Measured on ${date} by \`npm run bench -- peers --write\` (${minutes.toFixed(0)} minutes): version ${version}, commit ${commit}, Node ${node}, ${machine}
(${processor}), ${sizes.map((size) => size.toLocaleString('en')).join(', ')} documents. ${state}

All are given the same texts (40 words by Zipf's law, with a title) and, where they take vectors, the same vectors of 384 dimensions, so that no
model is part of it. Vectors lie in neighbourhoods, as those of texts do. A question is five words as they stand in one document, and a vector near
to that document's; ten results are asked for. Each store is filled and searched in processes of its own, warm, as its documentation recommends;
what takes too long is stopped. "Ralph Memory" is the whole way through the product (journal, index, ranking, thresholds), "its index alone" what
a library is to be compared with. Each table comes from the same run; \`--only\` and \`--sizes\` repeat a part of it.`
}

function behindText(figures: Performance): string {
  const sentences = behind(figures)
  if (sentences.length === 0) return 'In nothing that was measured.'
  return sentences.map((sentence) => `- ${sentence}`).join('\n')
}

/** A row for each peer, and so many cells for each size. */
function bySize(
  { peers, sizes }: Performance,
  columns: readonly [name: string, of: (size: SizeFigures) => string | undefined][],
  chosen: (peer: PeerFigures) => boolean = () => true,
): string {
  const head = sizes.flatMap((size) => columns.map(([name]) => `${size.toLocaleString('en')}: ${name}`))
  const rows = peers.filter(chosen).map((peer) => [
    peer.name === 'ours' ? `**${peer.title}**` : peer.title,
    ...sizes.flatMap((documents) => {
      const size = peer.sizes.find((one) => one.documents === documents)
      return columns.map(([, of], at) => (size && of(size)) ?? (at === 0 ? (size?.stopped ?? '') : ''))
    }),
  ])
  return markdownTable(['', ...head], rows)
}

function searchText(figures: Performance): string {
  const table = bySize(figures, [
    ['median / p95 ms', ({ searched: one }) => one && `${short(one.medianMs)} / ${short(one.p95Ms)}`],
    ['processor ms', ({ searched: one }) => one && short(one.cpuMs)],
  ])
  const kinds = figures.peers.map(({ title, searches }) => `${title}: ${searches}`).join('; ')
  const opening = bySize(figures, [
    ['opened, first answer, ms', ({ searched: one }) => one && short(one.openMs)],
  ])
  return `${table}\n\nWhat each searches by: ${kinds}. Whoever only looks for one of them has less to do.\n\n${opening}`
}

function foundText(figures: Performance): string {
  const withVectors = ({ sizes }: PeerFigures) => sizes.some(({ searched }) => searched?.recall !== undefined)
  const recall = bySize(
    figures,
    [
      [
        'recall@10',
        ({ searched }) => (searched?.recall === undefined ? undefined : percent(searched.recall)),
      ],
    ],
    withVectors,
  )
  const others = figures.recall.map(({ set, documents, skipped, found }) => {
    if (skipped !== undefined) return `${set}: skipped, ${skipped}.`
    const cells = found.map(({ name, recall, stopped }) => {
      const title = figures.peers.find((peer) => peer.name === name)?.title ?? name
      return `${title} ${recall === undefined ? (stopped ?? '') : percent(recall)}`
    })
    return `${SETS[set] ?? set}, ${documents.toLocaleString('en')}: ${cells.join(', ')}.`
  })
  const meant = bySize(figures, [
    ['meant one among ten', ({ searched }) => searched && percent(searched.meant)],
  ])
  return `Of the ten nearest by meaning that exact search finds, by vectors alone, in neighbourhoods:

${recall}

${others.join('\n\n')}

Whether the document that a question is about is among the ten, by all that each searches by (a check that everybody was used rightly, not a
grade: [quality.md](quality.md) has those):

${meant}`
}

const SETS: { [set: string]: string } = {
  random: 'Random vectors, the hardest',
  MiniLM: 'Vectors of the local model, of real texts',
}

function insertText(figures: Performance): string {
  const table = bySize(figures, [
    ['many, documents/s', ({ filled, documents }) => filled && short(documents / filled.seconds)],
    ['one, ms', ({ searched }) => searched && short(searched.one.medianMs)],
  ])
  const durable = figures.peers.map(({ title, durable }) => `- ${title}: ${durable}.`).join('\n')
  return `Many at once until they can be searched, indexes built; one into a store of that size, found by the next search and there after a restart:

${table}

What one insert is worth when the power fails, by the calls it makes to the system:

${durable}`
}

function appendText({ append: { recordMs, flushMs, bytes, times: count } }: Performance): string {
  return `A record in the journal (${bytes} bytes), on the disk when the call returns: ${short(recordMs)} ms; as many bytes appended to a file and flushed, with
nothing around it: ${short(flushMs)} ms. That is ${times(recordMs, flushMs)} the disk's own time (medians of ${count}, in turns).`
}

function upkeepText({ upkeep }: Performance): string {
  const rows = upkeep.map(({ documents, importPerSecond, rebuildPerSecond }) => [
    documents.toLocaleString('en'),
    short(importPerSecond),
    short(rebuildPerSecond),
  ])
  const table = markdownTable(
    ['records', 'imported into the journal, a second', 'index built again from it, a second'],
    rows,
  )
  return `${table}\n\nOurs alone: the others keep nothing apart from their index that it could be built from again. The vectors are handed in.`
}

function roomText(figures: Performance): string {
  const table = bySize(figures, [
    ['searching / filling, MB', memoryOf],
    ['on disk, MB', ({ filled }) => filled && short(filled.diskMb)],
  ])
  const installed = figures.peers.flatMap(({ title, installedMb }) =>
    installedMb === undefined ? [] : [`${title} ${short(installedMb)}`],
  )
  return `The most memory that the process held, with Node and the program that measures (${short(figures.bareMb)} MB before a store is opened; servers are
processes of their own, without that program):

${table}

Installed, with all that each depends on, MB: ${installed.join(', ')}.`
}

function memoryOf({ searched, filled }: SizeFigures): string | undefined {
  if (!searched && !filled) return undefined
  return [searched?.peakMb, filled?.peakMb]
    .map((value) => (value === undefined ? '–' : short(value)))
    .join(' / ')
}

function startsText({ starts }: Performance): string {
  const node = starts[0]!
  const rows = starts.map(({ what, command, medianMs, leastMs, cpuMs, residentMb }) => [
    what,
    `\`${command}\``,
    short(medianMs),
    short(leastMs),
    short(cpuMs),
    times(medianMs, node.medianMs),
    residentMb === undefined ? '' : short(residentMb),
  ])
  const table = markdownTable(
    ['', 'command', 'median ms', 'least', 'processor', 'of a bare node', 'memory MB'],
    rows,
  )
  return `${table}\n\nIn turns, 300 records in each store; a server to the first answer of a tool. Ours searches by meaning, too: the model is loaded each time.`
}

function embeddingText({ embedding }: Performance): string {
  const rows = embedding.map(({ runtime, questionMs, textsPerSecond }) => [
    runtime === 'onnx' ? 'native (default)' : 'WebAssembly (fallback)',
    short(questionMs),
    short(textsPerSecond),
  ])
  return `${markdownTable(['runtime', 'one question, ms', 'texts of 40 words, a second'], rows)}

Ralph Memory brings its embedding model with it: a search by meaning takes the time above and that of one question.`
}

function comparedText({ peers }: Performance): string {
  return markdownTable(
    ['', 'version', 'searches by', 'how it was used'],
    peers.map(({ title, versions, searches, how }) => [title, versions.join(', '), searches, how]),
  )
}

function notRunText({ notRun }: Performance): string {
  return markdownTable(
    ['', 'version', 'why'],
    notRun.map(({ title, version, why }) => [title, version, why]),
  )
}
