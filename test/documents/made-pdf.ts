/** PDFs as small as they can be, for what a reader makes of them. */

interface Printed {
  text: string
  size?: number
}

/** Each page with its lines, from the top. */
export function madePdf(pages: readonly (readonly Printed[])[], more = ''): Buffer {
  const first = 4
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => {
      const drawn = lines.map(({ text, size = 11 }, line) => {
        const escaped = text.replace(/[\\()]/g, '\\$&')
        return `BT /F1 ${size} Tf 72 ${740 - 16 * line} Td (${escaped}) Tj ET`
      })
      const content = drawn.join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * at + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${more} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** Locked with a password that nobody knows. */
export function lockedPdf(): Buffer {
  const junk = (letter: string) => `<${letter.repeat(64)}>`
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${junk('a')} /U ${junk('b')} /P -4 >> /ID [${junk('c')} ${junk('c')}]`
  return madePdf([[{ text: 'nobody reads this' }]], lock)
}
