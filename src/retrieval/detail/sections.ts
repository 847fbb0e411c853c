/**
 * A document's detail: what ranking wants to know of a candidate beyond its vector, in sections, each of a kind and with
 * its own length. The index keeps it as bytes and does not look into it.
 */
const KINDS = { parts: 1, tokens: 2, pairs: 3, headline: 4 } as const
export type DetailKind = keyof typeof KINDS
const KIND_OF = new Map<number, DetailKind>(
  Object.entries(KINDS).map(([kind, number]) => [number, kind as DetailKind]),
)

/** Raise when the layout changes: what was written before counts as no detail, and is made again. */
const VERSION = 1
/** Kind and length. */
const HEAD = 5

/** Undefined when there is nothing to say. */
export function packSections(
  sections: { readonly [Kind in DetailKind]?: Uint8Array | undefined },
): Uint8Array | undefined {
  const present = Object.entries(sections).filter(([, bytes]) => bytes !== undefined && bytes.length > 0)
  if (present.length === 0) return undefined
  const detail = new Uint8Array(1 + present.reduce((sum, [, bytes]) => sum + HEAD + bytes!.length, 0))
  const view = new DataView(detail.buffer)
  detail[0] = VERSION
  let at = 1
  for (const [kind, bytes] of present) {
    detail[at] = KINDS[kind as DetailKind]
    view.setUint32(at + 1, bytes!.length, true)
    detail.set(bytes!, at + HEAD)
    at += HEAD + bytes!.length
  }
  return detail
}

/** All sections; none when there are none, or when the bytes are not what was written. */
export function sectionsOf(detail: Uint8Array | undefined): { readonly [Kind in DetailKind]?: Uint8Array } {
  const found: { [Kind in DetailKind]?: Uint8Array } = {}
  if (!detail || detail[0] !== VERSION) return found
  const view = new DataView(detail.buffer, detail.byteOffset, detail.byteLength)
  for (let at = 1; at < detail.length; ) {
    if (at + HEAD > detail.length) return {}
    const length = view.getUint32(at + 1, true)
    const [start, end] = [at + HEAD, at + HEAD + length]
    if (end > detail.length) return {}
    const kind = KIND_OF.get(detail[at]!)
    if (kind !== undefined) found[kind] = detail.subarray(start, end)
    at = end
  }
  return found
}

export function sectionOf(detail: Uint8Array | undefined, kind: DetailKind): Uint8Array | undefined {
  return sectionsOf(detail)[kind]
}
