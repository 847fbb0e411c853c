import type { ComponentChildren } from 'preact'

export interface Choice {
  id: string
  name: ComponentChildren
  count?: number | undefined
}

/** Several of a few that can be pressed in, as filters; none pressed means all. */
export function Choices({
  label,
  choices,
  chosen,
  choose,
}: {
  label: string
  choices: readonly Choice[]
  chosen: readonly string[]
  choose: (chosen: string[]) => void
}) {
  const toggled = (id: string) => (chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <fieldset class="choices">
      <legend class="unseen-label">{label}</legend>
      {choices.map(({ id, name, count }) => (
        <button key={id} type="button" aria-pressed={chosen.includes(id)} onClick={() => choose(toggled(id))}>
          {name}
          {count !== undefined && <span class="count"> {count}</span>}
        </button>
      ))}
    </fieldset>
  )
}
