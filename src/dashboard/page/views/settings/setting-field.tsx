import type { ShownSetting } from './settings.tsx'

interface FieldProps {
  id: string
  setting: ShownSetting
  text: string
  change: (text: string) => void
  /** The element that says what is wrong with it. */
  wrongBy?: string | undefined
}

/** A field as its kind of value asks for. What is right is for the server to say: there is one schema. */
export function SettingField({ id, setting, text, change, wrongBy }: FieldProps) {
  const { kind, choices, secret } = setting
  const common = { id, 'aria-invalid': wrongBy !== undefined, 'aria-describedby': wrongBy }
  const options = kind === 'switch' ? ['true', 'false'] : choices
  if (options) {
    return (
      <select {...common} value={text} onChange={(event) => change(event.currentTarget.value)}>
        {text === '' && <option value="">choose…</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'list') {
    return <textarea {...common} value={text} onInput={(event) => change(event.currentTarget.value)} />
  }
  const isNumber = kind === 'number' || kind === 'whole number'
  const typed = {
    ...common,
    inputMode: isNumber ? 'decimal' : 'text',
    autocomplete: 'off',
    spellcheck: false,
    size: isNumber ? 10 : 40,
    value: text,
    onInput: (event: { currentTarget: HTMLInputElement }) => change(event.currentTarget.value),
  } as const
  return secret ? <input type="password" {...typed} /> : <input type="text" {...typed} />
}
