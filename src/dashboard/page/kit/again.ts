import { useEffect } from 'preact/hooks'
import type { Loaded } from './data.ts'

const AGAIN_MS = 1_000

/** Asks again a while after each answer that says it is not complete yet: one that takes longer is waited for. */
export function useAgain(incomplete: boolean, { data, trouble, reload }: Loaded<unknown>): void {
  useEffect(() => {
    if (!incomplete) return
    const timer = setTimeout(reload, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [incomplete, data, trouble])
}
