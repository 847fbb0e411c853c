export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'theme'

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  document.documentElement.dataset['theme'] = theme
}

// Before anything is drawn, so that nothing flashes.
document.documentElement.dataset['theme'] = chosenTheme()
