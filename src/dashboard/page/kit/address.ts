import { useLocation, useRoute } from 'preact-iso'

/** The parts of the address behind the question mark, and how to change some of them at once; an empty one goes. */
export function useAddress(): [
  { readonly [name: string]: string | undefined },
  (changes: Record<string, string>) => void,
] {
  const { route } = useLocation()
  // Of the view itself: while the next one is fetched the location is that one's already.
  const { query, path } = useRoute()
  const change = (changes: Record<string, string>) => {
    const parts = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') parts.delete(name)
      else parts.set(name, value)
    }
    route(parts.size > 0 ? `${path}?${parts}` : path)
  }
  return [query, change]
}

/** One of them: what is shown can be shared, and "back" undoes it. */
export function useAddressPart(name: string, byDefault = ''): [string, (value: string) => void] {
  const [parts, change] = useAddress()
  return [parts[name] ?? byDefault, (value) => change({ [name]: value === byDefault ? '' : value })]
}
