import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, lazy, Route, Router } from 'preact-iso'
import { listenToKeys } from './keyboard.ts'
import { Empty } from './kit/states.tsx'
import { listenToServer, onChange } from './live.ts'
import { VIEWS } from './routes.ts'
import { loadSession } from './session.ts'
import { Shell } from './shell.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/kit.css'
import './charts/charts.css'

const ROUTES = VIEWS.map(({ path, load }) => ({ path, component: lazy(load) }))

function App() {
  useEffect(() => onChange(['settings', 'board', 'journals'], () => void loadSession()), [])
  return (
    <LocationProvider>
      <ErrorBoundary>
        <Shell>
          <Router>
            {ROUTES.map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
            <Route default component={Nowhere} />
          </Router>
        </Shell>
      </ErrorBoundary>
    </LocationProvider>
  )
}

function Nowhere() {
  return (
    <Empty>
      There is nothing at this address. <a href="/">To the overview</a>
    </Empty>
  )
}

listenToKeys()
listenToServer()
void loadSession()
render(<App />, document.getElementById('page')!)
