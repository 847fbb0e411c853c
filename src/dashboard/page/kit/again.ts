import { useEffect } from 'preact/hooks'

const AGAIN_MS = 1_000

/** Asks again after a while, for as long as an answer says that it is not complete yet. */
export function useAgain(wanted: boolean, reload: () => void): void {
  useEffect(() => {
    if (!wanted) return
    const timer = setInterval(reload, AGAIN_MS)
    return () => clearInterval(timer)
  }, [wanted])
}
