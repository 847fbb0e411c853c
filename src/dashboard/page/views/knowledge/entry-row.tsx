import type { ComponentChildren } from 'preact'
import { Badge } from '../../kit/badge.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Time } from '../../kit/time.tsx'
import { type Entry, filingOf, headOf, KINDS, projectName } from './entry-words.ts'

/** An entry in a list; `children`: what the list is about. */
export function EntryRow({ entry, children }: { entry: Entry; children: ComponentChildren }) {
  return (
    <>
      <div class="line">
        <span class="grow clamped">
          <Remembered text={headOf(entry)} />
        </span>
        <Badge>{KINDS[entry.kind]}</Badge>
        <span class="dim">
          <Time at={entry.capturedAt} />
        </span>
      </div>
      <div class="dim line">
        {children}
        {filingOf(entry).map((name) => (
          <span key={name}>
            <Remembered text={name} />
          </span>
        ))}
        <span title={entry.project}>
          <Remembered text={projectName(entry.project)} />
        </span>
      </div>
    </>
  )
}
