/** One word of a command for a shell, whatever it holds. */
export function shellWord(text: string): string {
  return /^[\w./@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
