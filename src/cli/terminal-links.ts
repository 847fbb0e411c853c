/** Terminals that show links, by what they set; of any other it is not known, and some would show the codes. */
const LINK_MARKS = [
  'WT_SESSION',
  'KONSOLE_VERSION',
  'KITTY_WINDOW_ID',
  'WEZTERM_PANE',
  'DOMTERM',
  'GHOSTTY_RESOURCES_DIR',
]
const LINK_PROGRAMS = [
  'iTerm.app',
  'WezTerm',
  'vscode',
  'ghostty',
  'Hyper',
  'Tabby',
  'rio',
  'zed',
  'WarpTerminal',
]
const LINK_TERMS = /^(?:xterm-kitty|alacritty|foot|xterm-ghostty|wezterm|contour)/
/** Of the library behind GNOME's terminals, the first that could. */
const VTE_WITH_LINKS = 5_000

/** `FORCE_HYPERLINK` decides, as in other programs: 0 for none. */
export function terminalTakesLinks(env: NodeJS.ProcessEnv = process.env): boolean {
  const forced = env['FORCE_HYPERLINK']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (env['CI'] || env['TERM'] === 'dumb') return false
  return (
    LINK_MARKS.some((variable) => Boolean(env[variable])) ||
    LINK_PROGRAMS.includes(env['TERM_PROGRAM'] ?? '') ||
    LINK_TERMS.test(env['TERM'] ?? '') ||
    Number(env['VTE_VERSION'] ?? 0) >= VTE_WITH_LINKS
  )
}
