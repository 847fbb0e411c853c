/** `1.5 MB`: as people say it. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  const [amount, unit] =
    bytes < 1_000_000
      ? [bytes / 1_000, 'KB']
      : bytes < 1_000_000_000
        ? [bytes / 1_000_000, 'MB']
        : [bytes / 1_000_000_000, 'GB']
  return `${amount < 10 ? amount.toFixed(1).replace(/\.0$/, '') : Math.round(amount)} ${unit}`
}
