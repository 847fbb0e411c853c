/** A conversation as topics see it: what the person said in it, and what it means. */
export interface Talk {
  id: string
  title: string
  /** What the person said first, in their own words. */
  said: readonly string[]
  /** When something was said last, in milliseconds. */
  at: number
  /** Where it stands in meaning, of unit length; absent while it is not embedded. */
  vector?: Float32Array | undefined
}
