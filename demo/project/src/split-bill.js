/** Splits an amount in cents among people, e.g. (100, 3) → [34, 33, 33] */
export function splitBill(cents, people) {
  throw new Error('not written yet')
}
