/** Cents, or fractions of them where it is less than one; nothing that was spent is shown as nothing. */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001'
  return amount === 0 || amount >= 0.01 ? `$${amount.toFixed(2)}` : `$${amount.toFixed(4)}`
}
