import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Remembered } from '../kit/remembered.tsx'

/** The same as a chart, in words and numbers. What names a row may be text from memory. */
export interface ChartTable {
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

interface ChartProps {
  title: string
  /** What the picture tells, in a sentence: read to those who do not see it. */
  description: string
  table: ChartTable
  /** What the mark in focus says. */
  said?: string | undefined
  /** Shown instead of the picture when there is nothing to draw. */
  empty?: ComponentChildren
  legend?: ComponentChildren
  children?: ComponentChildren
}

/** What every chart has: a name, what it tells in words, the picture, what is pointed at, and the same as a table. */
export function Chart({ title, description, table, said, empty, legend, children }: ChartProps) {
  const id = useId()
  if (table.rows.length === 0) {
    return (
      <figure class="chart" aria-labelledby={id}>
        <figcaption id={id}>{title}</figcaption>
        <p class="chart-empty">{empty ?? 'Nothing to draw yet.'}</p>
      </figure>
    )
  }
  return (
    <figure class="chart" aria-labelledby={id} aria-describedby={`${id}-told`}>
      <figcaption id={id}>{title}</figcaption>
      <p class="chart-told" id={`${id}-told`}>
        {description}
      </p>
      {legend}
      {children}
      <div class="chart-foot">
        <AsTable title={title} table={table} />
        <p class="chart-said" aria-hidden="true">
          {said}
        </p>
      </div>
    </figure>
  )
}

const MOST_ROWS = 200

function AsTable({ title, table }: { title: string; table: ChartTable }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {open && <Rows title={title} table={table} />}
    </details>
  )
}

export function Rows({ title, table: { columns, rows } }: { title: string; table: ChartTable }) {
  const left = rows.length - MOST_ROWS
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section class="chart-table-scroll" tabIndex={0} aria-label={`${title}, as a table`}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={row[0]}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th scope="row" key={columns[at]}>
                    <Remembered text={String(cell)} />
                  </th>
                ) : (
                  <td key={columns[at]}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p>{left} more rows are not shown.</p>}
    </section>
  )
}
