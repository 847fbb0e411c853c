import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What the window is called while a view is shown that is not in the navigation. */
export const shownTitle = signal<string | undefined>(undefined)

export function useTitle(title: string): void {
  useEffect(() => {
    shownTitle.value = title
    return () => {
      shownTitle.value = undefined
    }
  }, [title])
}
