import { useAddressPart } from './address.ts'

/** Parts of a view, each with its own address. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { id: string; title: string; count?: number | undefined }[]
}) {
  const [current, choose] = useAddressPart('tab', tabs[0]!.id)
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {tabs.map(({ id, title, count }) => (
        <button key={id} type="button" role="tab" aria-selected={id === current} onClick={() => choose(id)}>
          {title}
          {count !== undefined && <span class="count"> {count}</span>}
        </button>
      ))}
    </div>
  )
}
