import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Trouble } from '../client.ts'
import { offer } from '../keyboard.ts'
import { announceChange, type Part } from '../live.ts'
import { session } from '../session.ts'
import { asTrouble } from './data.ts'
import { TroubleBox } from './states.tsx'

export interface ActionProps {
  children: ComponentChildren
  /** What it does on the server. */
  run: () => Promise<unknown>
  /** What it changes: views that show it ask again. */
  changes: readonly Part[]
  /** Asked before it is done, for what cannot be taken back. */
  confirm?: string | undefined
  kind?: 'primary' | 'danger' | undefined
  disabled?: boolean | undefined
  onDone?: (() => void) | undefined
  /** A key that presses it, and what the help says of that. */
  shortcut?: { keys: string; does: string } | undefined
}

/** A button that changes something: busy while it does, its trouble beside it, gone where nothing may be changed. */
export function Action(props: ActionProps) {
  const { children, run, changes, confirm, kind, disabled, onDone, shortcut } = props
  const [state, setState] = useState<'ready' | 'asking' | 'busy'>('ready')
  const [trouble, setTrouble] = useState<Trouble>()
  const button = useRef<HTMLButtonElement>(null)
  const busy = useRef(false)
  useLayoutEffect(
    () => shortcut && offer({ ...shortcut, run: () => button.current?.click() }),
    [shortcut?.keys, shortcut?.does],
  )
  if (session.value?.readOnly) return null
  const act = async () => {
    if (busy.current) return
    busy.current = true
    setState('busy')
    setTrouble(undefined)
    try {
      await run()
      announceChange(changes)
      onDone?.()
    } catch (error) {
      setTrouble(asTrouble(error))
    }
    busy.current = false
    setState('ready')
  }
  return (
    <span class="action">
      {state === 'asking' ? (
        <span class="asking">
          {confirm}{' '}
          <button type="button" class="danger" onClick={act} ref={(button) => button?.focus()}>
            Yes
          </button>{' '}
          <button type="button" onClick={() => setState('ready')}>
            No
          </button>
        </span>
      ) : (
        <button
          ref={button}
          type="button"
          class={kind}
          disabled={disabled}
          // Not `disabled` meanwhile: whoever pressed it by the keyboard would lose their place.
          aria-disabled={state === 'busy'}
          aria-busy={state === 'busy'}
          onClick={() => (confirm ? setState('asking') : act())}
        >
          {children} {shortcut && <kbd>{shortcut.keys}</kbd>}
        </button>
      )}
      {trouble && <TroubleBox trouble={trouble} />}
    </span>
  )
}
