import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** What the mark under the pointer or the focus says, for all to read: a tooltip reaches neither fingers nor keyboards. */
export interface Readout {
  said: string | undefined
  say: (text: string | undefined) => void
}

export function useReadout(): Readout {
  const [said, say] = useState<string>()
  return { said, say }
}

interface MarkProps {
  label: string
  readout: Readout
  /** Where it leads; a mark that leads nowhere takes no focus. */
  href?: string | undefined
  /** One mark of a chart is reached by Tab, the others from it by the arrow keys. */
  first?: boolean | undefined
  children: ComponentChildren
}

/** Something drawn that can be pointed at, and opened where it leads somewhere. */
export function Mark({ label, readout, href, first, children }: MarkProps) {
  const { route } = useLocation()
  const heard = {
    onPointerEnter: () => readout.say(label),
    onPointerLeave: () => readout.say(undefined),
    onFocus: () => readout.say(label),
    onBlur: () => readout.say(undefined),
  }
  if (href === undefined) return <g {...heard}>{children}</g>
  // The router does not see links inside SVG, whose names are in small letters.
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    route(href)
  }
  return (
    <a {...heard} href={href} class="chart-mark" aria-label={label} tabindex={first ? 0 : -1} onClick={open}>
      {children}
    </a>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Moves the focus from mark to mark within one chart. */
export function moveAmongMarks(event: KeyboardEvent): void {
  const marks = [...(event.currentTarget as Element).querySelectorAll<SVGAElement>('a.chart-mark')]
  const at = marks.indexOf(event.target as SVGAElement)
  if (at < 0) return
  const step = STEPS[event.key]
  const next =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? marks.length - 1
        : step === undefined
          ? undefined
          : at + step
  if (next === undefined || !marks[next]) return
  event.preventDefault()
  event.stopPropagation()
  for (const mark of marks) mark.setAttribute('tabindex', mark === marks[next] ? '0' : '-1')
  marks[next].focus()
}
