import { useLocation } from 'preact-iso'

/** A part of the address behind the question mark: what is shown can be shared, and "back" undoes it. */
export function useAddressPart(name: string, byDefault = ''): [string, (value: string) => void] {
  const { query, path, route } = useLocation()
  const set = (value: string) => {
    const parts = new URLSearchParams(query)
    if (value === byDefault) parts.delete(name)
    else parts.set(name, value)
    route(parts.size > 0 ? `${path}?${parts}` : path)
  }
  return [query[name] ?? byDefault, set]
}

/** An address within the page: `addressOf('/features', name, 'iterations', 7)`; names may hold anything. */
export function addressOf(base: string, ...parts: readonly (string | number)[]): string {
  return [base, ...parts.map((part) => encodeURIComponent(part))].join('/')
}
