/** The positions of the `count` highest scores among those allowed, in no order; equals are decided by `tieBreaks`. */
export function best(
  scores: Float32Array,
  allowed: (position: number) => boolean,
  tieBreaks: Uint32Array,
  count: number,
): number[] {
  // A heap with the worst of the chosen on top: almost every position is turned away by one comparison.
  const heap: number[] = []
  const worse = (a: number, b: number) =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && tieBreaks[a]! > tieBreaks[b]!)
  let lowest = Number.NEGATIVE_INFINITY
  for (let position = 0; position < scores.length; position++) {
    if (scores[position]! < lowest) continue
    if (heap.length === count && !worse(heap[0]!, position)) continue
    if (!allowed(position)) continue
    if (heap.length < count) siftUp(heap, position, worse)
    else siftDown(heap, position, worse)
    if (heap.length === count) lowest = scores[heap[0]!]!
  }
  return heap
}

type Worse = (a: number, b: number) => boolean

function siftUp(heap: number[], added: number, worse: Worse): void {
  let at = heap.length
  heap.push(added)
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!worse(added, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = added
}

/** Replaces the top. */
function siftDown(heap: number[], added: number, worse: Worse): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++
    if (!worse(heap[child]!, added)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = added
}
