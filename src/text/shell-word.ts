/** One word of a command for a shell, whatever it holds. On Windows in the quotes that cmd, PowerShell and Git Bash all know. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./@%+-]+$/.test(text)) return text
  if (platform !== 'win32') return `'${text.replaceAll("'", `'\\''`)}'`
  return /^[\w.:\\/@+~-]+$/.test(text) ? text : `"${text.replaceAll('"', '\\"')}"`
}
