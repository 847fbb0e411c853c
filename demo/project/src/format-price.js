/** 1.5 → "1.50" */
export function formatPrice(amount) {
  throw new Error('not written yet')
}
