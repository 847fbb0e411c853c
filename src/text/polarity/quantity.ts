/** Written forms of units, each line first as it is compared. */
const UNITS = `
millisecond milliseconds ms|second seconds sec secs s|minute minutes min mins|hour hours hr hrs h|day days d|week weeks|month months
year years|byte bytes|kilobyte kilobytes kb kib|megabyte megabytes mb mib|gigabyte gigabytes gb gib|terabyte terabytes tb tib
percent %|pixel pixels px|time times x`

const BY_FORM = new Map(
  UNITS.trim()
    .split(/[|\n]/)
    .flatMap((unit) => {
      const [name, ...forms] = unit.split(' ')
      return [name!, ...forms].map((form): [string, string] => [form, name!])
    }),
)

/** "seconds" and "s" after a number. */
export function unitOf(word: string): string | undefined {
  return BY_FORM.get(word)
}

/** "1,000" is 1000, "v2" is 2, "30s" is 30 seconds. */
export function quantityOf(written: string): { number: string; unit?: string } {
  const number = written.replace(/^([-^~]?)v(?=\d)/, '$1')
  const whole = /^[-^~]?\d{1,3}(?:,\d{3})+(?!\d)/.test(number) ? number.replaceAll(',', '') : number
  const [digits] = /^[-^~]?[\d.,:]*/.exec(whole)!
  const unit = unitOf(whole.slice(digits.length))
  return unit === undefined ? { number: whole } : { number: digits, unit }
}
