import { useEffect, useRef, useState } from 'preact/hooks'
import { Trouble } from '../client.ts'
import { onChange, type Part } from '../live.ts'

export interface Loaded<Data> {
  /** What was asked for. */
  key: string
  data: Data | undefined
  trouble: Trouble | undefined
  /** Nothing to show yet. */
  loading: boolean
  reload: () => void
}

/** What was shown before is shown again at once, until the answer comes. */
const kept = new Map<string, unknown>()
const MOST_KEPT = 100
/** Something the server needs is down: it is back when it is, and nobody may be told of that. */
const DOWN = 503
const AGAIN_MS = 3_000

/** Asks for what a view shows, and again when one of `parts` has changed. `key` says what is asked for, filters and all. */
export function useData<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  parts: readonly Part[] = [],
): Loaded<Data> {
  const [answer, setAnswer] = useState<{ key: string; data?: Data; trouble?: Trouble }>({ key })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const reload = () => setRound((before) => before + 1)
  useEffect(() => {
    const controller = new AbortController()
    latest.current(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
        kept.set(key, data)
        setAnswer({ key, data })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setAnswer({ key, trouble: asTrouble(error) })
      },
    )
    return () => controller.abort()
  }, [key, round])
  useEffect(() => onChange(parts, reload), [parts.join(' ')])
  const current = answer.key === key ? answer : undefined
  useEffect(() => {
    if (current?.trouble?.status !== DOWN) return
    const timer = setTimeout(reload, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [current])
  const data = current?.data ?? (kept.get(key) as Data | undefined)
  return { key, data, trouble: current?.trouble, loading: data === undefined && !current?.trouble, reload }
}

export function asTrouble(error: unknown): Trouble {
  return error instanceof Trouble
    ? error
    : new Trouble(0, error instanceof Error ? error.message : String(error))
}
