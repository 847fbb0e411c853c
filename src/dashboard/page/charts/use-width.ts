import { useCallback, useRef, useState } from 'preact/hooks'

/** Until it is measured. */
const USUAL_WIDTH = 640

/** The width a chart may take: drawn for it, text keeps its size on a phone instead of shrinking with the picture. */
export function useWidth(): { place: (element: Element | null) => void; width: number } {
  const observer = useRef<ResizeObserver>(undefined)
  const [width, setWidth] = useState(USUAL_WIDTH)
  // Called with nothing when the element goes, so that nothing is observed that is not there.
  const place = useCallback((element: Element | null) => {
    observer.current?.disconnect()
    if (!element) return
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width) || USUAL_WIDTH)
    observer.current = new ResizeObserver(measure)
    observer.current.observe(element)
    measure()
  }, [])
  return { place, width }
}
