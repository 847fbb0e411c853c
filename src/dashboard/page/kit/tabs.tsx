import { useAddressPart } from './address.ts'

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Parts of a view, each with its own address; the arrow keys move between them. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { id: string; title: string; count?: number | undefined }[]
}) {
  const [current, choose] = useAddressPart('tab', tabs[0]!.id)
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const at = tabs.findIndex(({ id }) => id === current)
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    choose(next.id)
    const list = event.currentTarget as Element
    list.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, title, count }) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-tab={id}
          aria-selected={id === current}
          tabIndex={id === current ? 0 : -1}
          onClick={() => choose(id)}
        >
          {title}
          {count !== undefined && <span class="count"> {count}</span>}
        </button>
      ))}
    </div>
  )
}
