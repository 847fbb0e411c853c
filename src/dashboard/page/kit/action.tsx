import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Trouble } from '../client.ts'
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
}

/** A button that changes something: busy while it does, its trouble beside it, gone where nothing may be changed. */
export function Action({ children, run, changes, confirm, kind, disabled, onDone }: ActionProps) {
  const [state, setState] = useState<'ready' | 'asking' | 'busy'>('ready')
  const [trouble, setTrouble] = useState<Trouble>()
  if (session.value?.readOnly) return null
  const act = async () => {
    setState('busy')
    setTrouble(undefined)
    try {
      await run()
      announceChange(changes)
      onDone?.()
    } catch (error) {
      setTrouble(asTrouble(error))
    }
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
          type="button"
          class={kind}
          disabled={disabled || state === 'busy'}
          aria-busy={state === 'busy'}
          onClick={() => (confirm ? setState('asking') : act())}
        >
          {children}
        </button>
      )}
      {trouble && <TroubleBox trouble={trouble} />}
    </span>
  )
}
