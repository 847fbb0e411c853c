/** An address within the page: `addressOf('/features', name, 'iterations', 7)`; names may hold anything. */
export function addressOf(base: string, ...parts: readonly (string | number)[]): string {
  return [base, ...parts.map((part) => encodeURIComponent(part))].join('/')
}
