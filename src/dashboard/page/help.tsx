import { useEffect, useRef, useState } from 'preact/hooks'
import { offer, offered, press, type Shortcut } from './keyboard.ts'

/** For whoever does not know yet that there is a key for it. */
export function HelpButton() {
  return (
    <button type="button" aria-label="What the keyboard does" onClick={() => press('?')}>
      ?
    </button>
  )
}

/** `?`: what the keyboard does, here and now. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [shown, setShown] = useState<readonly Shortcut[]>([])
  useEffect(
    () =>
      offer({
        keys: '?',
        does: 'this help',
        run: () => {
          setShown(offered())
          if (dialog.current?.open) dialog.current.close()
          else dialog.current?.showModal()
        },
      }),
    [],
  )
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title">
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {shown.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>enter</kbd>
          </dt>
          <dd>open the row</dd>
        </div>
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  )
}
