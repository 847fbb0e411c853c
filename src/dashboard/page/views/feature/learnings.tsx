import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { offer } from '../../keyboard.ts'
import { useAddressPart } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { useRowKeys } from '../../kit/rows.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { askAbout, journalOf, type LearningLine } from './ask.ts'
import { Conflict, conflictsIn } from './conflict.tsx'
import { awaitsReview, LearningCard } from './learning-card.tsx'

/** What the feature has learned, for people to approve, put right, settle or throw away. */
export function Learnings({ feature }: { feature: string }) {
  const parts = ['board', journalOf(feature)] as const
  const loaded = useData(`learnings ${feature}`, (signal) => askAbout(feature).learnings(signal), parts)
  return (
    <Shown loaded={loaded}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty command={`ralph learnings add "…" --reason "…" --feature ${JSON.stringify(feature)}`}>
            Nothing learned yet. Runs add what they overcame, agents and people what they noticed.
          </Empty>
        ) : (
          <Known feature={feature} learnings={items} />
        )
      }
    </Shown>
  )
}

function Known({ feature, learnings }: { feature: string; learnings: readonly LearningLine[] }) {
  const place = useRef<HTMLDivElement>(null)
  const [chosen] = useAddressPart('learning')
  useRowKeys(place)
  useCareKeys(place)
  useKeptFocus(place, learnings)
  useEffect(() => {
    const row = place.current?.querySelector<HTMLElement>(`[data-learning="${CSS.escape(chosen)}"]`)
    row?.closest<HTMLElement>('.row')?.focus()
  }, [chosen])
  const conflicts = conflictsIn(learnings)
  const waiting = learnings.filter(awaitsReview).length
  return (
    <div ref={place}>
      {conflicts.length > 0 && (
        <section aria-labelledby="conflicts">
          <h2 id="conflicts">Say the opposite of each other</h2>
          <p class="dim">
            Agents are shown both until you decide. Keys: <kbd>1</kbd> or <kbd>2</kbd> keeps one, <kbd>b</kbd>{' '}
            both.
          </p>
          <List
            items={conflicts}
            label="Contradictions"
            keys={false}
            keyOf={(pair) => pair.map(({ id }) => id).join(' ')}
          >
            {(pair) => <Conflict feature={feature} pair={pair} />}
          </List>
        </section>
      )}
      <h2 id="learnings">{conflicts.length > 0 ? 'All of them' : 'Learned'}</h2>
      <p class="dim">
        {waiting > 0 ? `${waiting} of ${learnings.length} not reviewed. ` : 'All reviewed. '}
        Keys on a row: <kbd>a</kbd> approve, <kbd>e</kbd> edit, <kbd>x</kbd> delete.
      </p>
      <List items={learnings} label="Learnings" keys={false} keyOf={({ id }) => id}>
        {(learning) => <LearningCard feature={feature} learning={learning} />}
      </List>
    </div>
  )
}

const CARE_KEYS = {
  a: 'approve the learning',
  e: 'edit the learning',
  x: 'delete the learning',
  1: 'keep the first of two',
  2: 'keep the second of two',
  b: 'keep both of two',
}

/** A key presses what bears its name in the row that has the focus. */
function useCareKeys(place: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const ends = Object.entries(CARE_KEYS).map(([keys, does]) =>
      offer({
        keys,
        does,
        run: () => {
          const row = document.activeElement?.closest('li')
          if (!row || !place.current?.contains(row)) return
          row.querySelector<HTMLButtonElement>(`[data-key="${keys}"] button`)?.click()
        },
      }),
    )
    return () => {
      for (const end of ends) end()
    }
  }, [])
}

/** What was in focus may be gone after it was decided: then the focus stays where it was, on what took its place. */
function useKeptFocus(place: { current: HTMLElement | null }, shown: readonly unknown[]): void {
  const at = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const rows = () => [...(place.current?.querySelectorAll<HTMLElement>('li > .row') ?? [])]
    const note = (event: FocusEvent) => {
      const row = (event.target as Element).closest('li')?.querySelector<HTMLElement>('.row')
      if (row) at.current = rows().indexOf(row)
    }
    const list = place.current
    list?.addEventListener('focusin', note)
    return () => list?.removeEventListener('focusin', note)
  }, [])
  useEffect(() => {
    if (at.current === undefined || document.activeElement !== document.body) return
    const rows = place.current?.querySelectorAll<HTMLElement>('li > .row') ?? []
    rows[Math.min(at.current, rows.length - 1)]?.focus()
  }, [shown])
}
