import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { HealthBadge } from './health-badge.tsx'
import { Help, HelpButton } from './help.tsx'
import { offer } from './keyboard.ts'
import { Remembered } from './kit/remembered.tsx'
import { shownTitle } from './kit/title.ts'
import { type Connection, connection } from './live.ts'
import { VIEWS } from './routes.ts'
import { session } from './session.ts'
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts'

const LINKED = VIEWS.filter(({ title }) => title !== undefined)

const CONNECTION_WORDS: Record<Exclude<Connection, 'live'>, { text: string; title: string }> = {
  asking: {
    text: 'no answer: asking again…',
    title: 'The dashboard does not answer. Is ralph dashboard still running? What is shown may be old.',
  },
  refused: {
    text: 'not let in: open the new address',
    title: 'ralph dashboard was started anew, with a new address. Open the one that it printed.',
  },
}

/** What is around every view: where we are, where one can go, and what is out of order. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path, route } = useLocation()
  const here = LINKED.findLast((view) => (view.path === '/' ? path === '/' : path.startsWith(view.path)))
  useEffect(() => {
    const ends = LINKED.filter(({ key }) => key).map(({ key, title, path }) =>
      offer({ keys: `g ${key}`, does: title!.toLowerCase(), run: () => route(path) }),
    )
    ends.push(offer({ keys: '/', does: 'search everything', run: () => route('/search') }))
    return () => {
      for (const end of ends) end()
    }
  }, [route])
  useArrival(path, here?.title ?? shownTitle.value)
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to what is shown
      </a>
      <header>
        <a class="name" href="/">
          Ralph
        </a>
        <span class="project" title={session.value?.project}>
          <Remembered text={session.value?.projectName ?? ''} />
        </span>
        {session.value?.readOnly && <span class="badge plain">look only</span>}
        <span class="space" />
        <span class="connection" role="status">
          {connection.value !== 'live' && (
            <span class="badge warn" title={CONNECTION_WORDS[connection.value].title}>
              {CONNECTION_WORDS[connection.value].text}
            </span>
          )}
        </span>
        <HealthBadge />
        <HelpButton />
        <ThemeChoice />
      </header>
      <nav aria-label="Views">
        {LINKED.map(({ path, title, key }) => (
          <a key={path} href={path} aria-current={here?.path === path ? 'page' : undefined}>
            {title} {key && <kbd>g {key}</kbd>}
          </a>
        ))}
      </nav>
      <main id="main" tabIndex={-1}>
        <Notices />
        {children}
      </main>
      <Help />
    </div>
  )
}

/** Names the window after the view, and after a step to another one starts at its top: for eyes, and for screen readers. */
function useArrival(path: string, title: string | undefined): void {
  const before = useRef(path)
  const project = session.value?.projectName
  useEffect(() => {
    document.title = [title, project, 'Ralph'].filter(Boolean).join(' · ')
  }, [title, project])
  // Before the effects of the view itself, which may want the focus somewhere in it.
  useLayoutEffect(() => {
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    if (before.current === path) return
    before.current = path
    document.getElementById('main')?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [path])
}

function Notices() {
  const notices = session.value?.notices ?? []
  if (notices.length === 0) return null
  return (
    <ul class="notices" aria-label="Out of order">
      {notices.map(({ key, message, hint }) => (
        <li key={key}>
          <Remembered text={message} />
          {hint && (
            <>
              {' → '}
              <Remembered text={hint} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme())
  return (
    <label class="theme">
      <span class="unseen-label">Colours</span>
      <select
        value={theme}
        onChange={(event) => {
          const chosen = event.currentTarget.value as Theme
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
