import { featureAddress, iterationAddress } from '../feature/ask.ts'

/** Where a memory came from, as an address of the page; undefined for what has none. Only what has our own form leads anywhere. */
export function sourceAddress(
  feature: string,
  { kind, source }: { kind: string; source: string },
): string | undefined {
  const [, name, id = ''] = /^(iteration|learning|error) ([\w-]{1,40})$/.exec(source) ?? []
  if (name === 'iteration' && /^\d+$/.test(id)) return iterationAddress(feature, Number(id))
  if (name === 'learning') return featureAddress(feature, { tab: 'learnings', learning: id })
  if (name === 'error') return featureAddress(feature, { tab: 'errors', error: id })
  if (kind === 'file') return featureAddress(feature, { file: source })
  return undefined
}
