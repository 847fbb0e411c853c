import type { Item } from './statement.ts'

/** Who does it and what is done are told by the words around them: "is called by A". */
export function noteRoles(items: readonly Item[], verb: number, agent: number): void {
  const [done, doer] = [items[verb], items[agent]]
  if (doer) doer.role = 'doer'
  if (done && doer && verb < agent) done.role = 'done'
}

/** "B is called by A" in the order of "A calls B". */
export function inActiveOrder(items: readonly Item[], verb: number, agent: number): Item[] {
  const subject = items.slice(0, verb)
  if (agent <= verb) return [...items.slice(verb, verb + 1), ...subject, ...items.slice(verb + 1)]
  const end = items.findIndex((item, index) => index >= agent && item.kind === 'direction')
  const doer = items.slice(agent, end < 0 ? undefined : end)
  const rest = [...items.slice(verb + 1, agent), ...(end < 0 ? [] : items.slice(end))]
  return [...doer, ...items.slice(verb, verb + 1), ...subject, ...rest]
}
