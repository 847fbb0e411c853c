import type { ComponentChildren } from 'preact'
import { binSize } from './bins.ts'
import { Chart } from './chart.tsx'
import { Lanes } from './lanes.tsx'

export interface HeatFile {
  path: string
  /** The iterations that touched it; several times the same counts. */
  iterations: readonly number[]
}

interface HeatProps {
  /** The most touched first. */
  files: readonly HeatFile[]
  from: number
  to: number
  /** How a file is named and where it leads: text from memory, shown by the caller's own component. */
  label: (file: HeatFile) => ComponentChildren
  most?: number
}

const MOST_CELLS = 60
const LEVELS = 4

/** Which files were touched when: a cell grows and darkens with what happened in it. */
export function FileHeat({ files, from, to, label, most = 25 }: HeatProps) {
  const shown = files.slice(0, most)
  const size = binSize(to - from + 1, MOST_CELLS)
  const cells = new Map(shown.map((file) => [file.path, cellsOf(file, from, size)]))
  const highest = Math.max(1, ...[...cells.values()].flatMap((counts) => [...counts.values()]))
  return (
    <Chart
      title="Files over iterations"
      description={`The ${shown.length} files touched most, in iterations ${from} to ${to}${size > 1 ? `; each cell is ${size} iterations` : ''}.${highest > 1 ? ` A fuller cell was touched more often, at most ${highest} times.` : ''}`}
      empty="No files touched yet."
      table={{
        columns: ['File', 'Touched', 'In iterations'],
        rows: files.map(({ path, iterations }) => [path, iterations.length, someOf(iterations)]),
      }}
    >
      <Lanes
        lanes={shown.map((file) => ({
          id: file.path,
          label: <span class="chart-path">{label(file)}</span>,
          told: `touched ${file.iterations.length} times, in iterations ${someOf(file.iterations)}`,
        }))}
        from={from}
        to={to}
        stretches
        height={16}
        draw={({ id }, { x, height }) =>
          [...cells.get(id)!].map(([cell, count]) => {
            const left = x(from + cell * size)
            const width = Math.min(Math.max(3, x(from + (cell + 1) * size) - left - 1), 24)
            const level = Math.ceil((LEVELS * count) / highest)
            const tall = 4 + (12 * level) / LEVELS
            return (
              <rect
                key={cell}
                class={`heat-${level}`}
                x={left}
                y={(height - tall) / 2}
                width={width}
                height={tall}
              >
                <title>{cellName(from + cell * size, size, count)}</title>
              </rect>
            )
          })
        }
      />
    </Chart>
  )
}

function cellsOf({ iterations }: HeatFile, from: number, size: number): Map<number, number> {
  const counts = new Map<number, number>()
  for (const iteration of iterations) {
    const cell = Math.floor((iteration - from) / size)
    counts.set(cell, (counts.get(cell) ?? 0) + 1)
  }
  return counts
}

function cellName(first: number, size: number, count: number): string {
  const where = size === 1 ? `iteration ${first}` : `iterations ${first} to ${first + size - 1}`
  return `${where}: ${count === 1 ? 'once' : `${count} times`}`
}

const NAMED = 12

function someOf(iterations: readonly number[]): string {
  const distinct = [...new Set(iterations)]
  const more = distinct.length - NAMED
  return `${distinct.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
