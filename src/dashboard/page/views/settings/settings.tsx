import { useRef } from 'preact/hooks'
import { answerOf, api } from '../../client.ts'
import { useAddressPart } from '../../kit/address.ts'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { useRowKeys } from '../../kit/rows.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { EditSetting } from './edit-setting.tsx'
import { GROUPS, ORIGINS, waitingIn } from './words.ts'
import './settings.css'

const ask = () => answerOf(api.settings.$get())
export type Report = Awaited<ReturnType<typeof ask>>
export type ShownSetting = Report['settings'][number]

/** Every setting, where it comes from, and what would change it. */
export default function Settings() {
  const loaded = useData('settings', ask, ['settings'])
  const [show, choose] = useAddressPart('show', 'all')
  return (
    <>
      <h1>Settings</h1>
      <div class="filters">
        <label>
          Show{' '}
          <select value={show} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="all">all of them</option>
            <option value="set">what somebody has set</option>
            <option value="trust">what waits for trust</option>
          </select>
        </label>
      </div>
      <Shown loaded={loaded}>
        {(report) => (
          <>
            <Troubles report={report} />
            <Held untrusted={report.untrusted} />
            <Groups report={report} settings={report.settings.filter(SHOWN[show] ?? (() => true))} />
          </>
        )}
      </Shown>
    </>
  )
}

const SHOWN: Record<string, (setting: ShownSetting) => boolean> = {
  set: ({ mentions }) => mentions.length > 0,
  trust: (setting) => waitingIn(setting) !== undefined,
}

function Troubles({ report: { troubles } }: { report: Report }) {
  return (
    <>
      {troubles.map(({ source, message, hint }) => (
        <p key={source} class="trouble" role="alert">
          <Remembered text={message} /> {hint && <Remembered text={hint} />} Until then its settings are left
          out here.
        </p>
      ))}
    </>
  )
}

/** What would execute, send or connect: exactly that, as it is asked for. */
function Held({ untrusted }: { untrusted: Report['untrusted'] }) {
  if (untrusted.length === 0) return null
  return (
    <section class="settings-held" aria-label="Waits for trust">
      <p>This project asks for what has no effect until you have looked at it in a terminal:</p>
      <ul>
        {untrusted.map(({ name, effect, lines }) => (
          <li key={name}>
            <strong>
              <Remembered text={name} />
            </strong>{' '}
            {effect}
            <pre>
              <Remembered text={lines.join('\n')} />
            </pre>
          </li>
        ))}
      </ul>
      <code class="command">ralph trust</code>
    </section>
  )
}

function Groups({ report, settings }: { report: Report; settings: readonly ShownSetting[] }) {
  const place = useRef<HTMLDivElement>(null)
  useRowKeys(place)
  const groups = [...new Set(settings.map(({ group }) => group))]
  if (settings.length === 0) {
    return (
      <Empty>
        None. <a href="/settings">Show all settings</a>
      </Empty>
    )
  }
  return (
    <div ref={place}>
      {groups.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{GROUPS[group] ?? group}</h2>
          <ul class="list">
            {settings
              .filter((setting) => setting.group === group)
              .map((setting) => (
                <Row key={setting.key} setting={setting} files={report.files} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ setting, files }: { setting: ShownSetting; files: Report['files'] }) {
  const [edited, edit] = useAddressPart('edit')
  const { key, about, shown, origin, source, afterRestart } = setting
  const open = edited === key
  const row = useRef<HTMLButtonElement>(null)
  const close = () => {
    edit('')
    row.current?.focus()
  }
  const { word, tone } = ORIGINS[origin]
  return (
    <li>
      <button
        type="button"
        class="row setting-row"
        ref={row}
        aria-expanded={open}
        onClick={() => edit(open ? '' : key)}
      >
        <code>{key}</code>
        <span class="setting-value">
          {shown === '' ? <span class="dim">not set</span> : <Remembered text={shown} />}
        </span>
        <span class="setting-about dim">{about}</span>
        <span class="setting-marks">
          <Badge tone={tone} title={source}>
            {word}
          </Badge>{' '}
          {waitingIn(setting) && <Badge tone="warn">waits for trust</Badge>}{' '}
          {afterRestart && (
            <Badge tone="warn" title="This dashboard was started with another value, and keeps it">
              after a restart
            </Badge>
          )}
        </span>
      </button>
      {open && <EditSetting setting={setting} files={files} close={close} />}
    </li>
  )
}
