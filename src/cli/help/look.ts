import { styleText } from 'node:util'
import { readingWidth } from '../width.ts'

/** How help is shown; it needs nothing else, so that it comes at once. */
export interface HelpLook {
  width: number
  bold: (text: string) => string
}

export function helpLook(): HelpLook {
  return {
    width: readingWidth(process.stdout),
    bold: (text) => styleText('bold', text, { stream: process.stdout }),
  }
}
