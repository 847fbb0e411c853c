/** How many neighbours share a column: numbers that people can reckon with. */
const SIZES = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500]

/** The smallest round size with which `count` things fit into `most` columns. */
export function binSize(count: number, most: number): number {
  const needed = Math.ceil(count / Math.max(1, most))
  return SIZES.find((size) => size >= needed) ?? Math.ceil(needed / 1_000) * 1_000
}

/** Neighbours put together, in their order, so that there are at most `most` groups; the last may be smaller. */
export function binned<Item>(items: readonly Item[], most: number): Item[][] {
  const size = binSize(items.length, most)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

/** `length` places of which at most `most` are chosen, evenly, the first always among them. */
export function spread(length: number, most: number): number[] {
  const step = binSize(length, Math.max(1, most))
  return Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step)
}
