import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { answerOf, api, type Trouble } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { asTrouble } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { announceChange } from '../../live.ts'
import { session } from '../../session.ts'
import { SettingField } from './setting-field.tsx'
import type { Report, ShownSetting } from './settings.tsx'
import { ORIGINS } from './words.ts'

type Place = 'user' | 'project'

interface EditProps {
  setting: ShownSetting
  files: Report['files']
  close: () => void
}

/** What is said of a setting and where, and a field to say something else. */
export function EditSetting({ setting, files, close }: EditProps) {
  const { key, allowed, variables, mentions } = setting
  return (
    <div class="setting-edit">
      <p class="dim">
        It may be {allowed}. {variables.length > 0 && `Also set by ${variables.join(', ')}.`}
      </p>
      {mentions.length > 0 && (
        <ul class="setting-mentions" aria-label="What is said of it, the strongest first">
          {mentions.map(({ origin, source, shown, waitsForTrust }) => (
            <li key={source}>
              <Remembered text={shown} />{' '}
              <span class="dim">
                {ORIGINS[origin].word}: <Remembered text={source} />
                {waitsForTrust && ', without effect until you run ralph trust'}
              </span>{' '}
              {(origin === 'user' || origin === 'project') && (
                <Action
                  changes={['settings']}
                  run={() =>
                    answerOf(api.settings[':key'].$delete({ param: { key }, query: { in: origin } }))
                  }
                >
                  Take it out
                </Action>
              )}
            </li>
          ))}
        </ul>
      )}
      {session.value?.readOnly ? (
        <p class="dim">This dashboard was started to look only.</p>
      ) : (
        <Form setting={setting} files={files} close={close} />
      )}
    </div>
  )
}

function Form({ setting, files, close }: EditProps) {
  const id = useId()
  const [place, setPlace] = useState<Place>(setting.origin === 'project' ? 'project' : 'user')
  const [text, setText] = useState(fieldText(setting))
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>()
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  const save = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const json = { value: text, in: place }
      await answerOf(api.settings[':key'].$put({ param: { key: setting.key }, json }))
      announceChange(['settings'])
      close()
    } catch (error) {
      setTrouble(asTrouble(error))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={save} ref={form}>
      <label for={id}>New value</label>
      <SettingField
        id={id}
        setting={setting}
        text={text}
        change={(value) => {
          setText(value)
          setTrouble(undefined)
        }}
        wrongBy={trouble && `${id}-wrong`}
      />
      {trouble && (
        <p id={`${id}-wrong`} class="setting-wrong" role="alert">
          {trouble.message}
        </p>
      )}
      <fieldset>
        <legend class="unseen-label">In whose file</legend>
        {(['user', 'project'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name={`${id}-place`} checked={place === one} onChange={() => setPlace(one)} />{' '}
            {one === 'user' ? 'for me, in all projects' : 'for everybody in this project'}{' '}
            <code class="dim">{files[one]}</code>
          </label>
        ))}
      </fieldset>
      <div class="actions">
        <button type="submit" class="primary" disabled={busy} aria-busy={busy}>
          Save
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** What may not be shown begins empty. */
function fieldText({ value }: ShownSetting): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
