import type { PieceCounts, PieceKind } from '../../../../receipts/pieces.ts'
import { Rows } from '../../charts/chart.tsx'
import { wholeNumber } from '../../charts/numbers.ts'
import { kindWords } from '../receipts/kind-words.ts'

/** What was told and what was withheld, by kind of memory, and what became of it. */
export function Pieces({ pieces }: { pieces: readonly PieceKind[] }) {
  if (pieces.length === 0) return null
  const rows = pieces.flatMap(({ kind, told, withheld }) => [
    ...(told.pieces > 0 ? [[kindWords(kind), ...cellsOf(told)]] : []),
    ...(withheld.pieces > 0 ? [[`${kindWords(kind)}, withheld`, ...cellsOf(withheld)]] : []),
  ])
  const columns = ['Memory', 'Pieces', 'Used', 'Error came back', 'Command failed again', 'File touched']
  return (
    <section class="effect-pieces">
      <h2>What was told, and what became of it</h2>
      <p class="dim">
        As far back as receipts are kept. Each memory counts once in a run, where somebody could tell what
        became of it. <a href="/receipts">One by one</a>
      </p>
      <Rows title="What was told" table={{ columns, rows }} />
    </section>
  )
}

function cellsOf({ pieces, judged, used, errors, commands, files }: PieceCounts): string[] {
  const share = (some: number, of: number) => (of === 0 ? '–' : `${wholeNumber(some)} of ${wholeNumber(of)}`)
  return [
    wholeNumber(pieces),
    share(used, judged),
    share(errors.cameBack, errors.judged),
    share(commands.failedAgain, commands.judged),
    share(files.touched, files.judged),
  ]
}
