export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'causeway.theme'
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text)

/** What was chosen; nothing but this choice is ever stored in the browser. */
export const chosenTheme = (): Theme => {
  try {
    const text = localStorage.getItem(KEY)
    return isTheme(text) ? text : 'system'
  } catch {
    return 'system'
  }
}

/** Shows the page in the chosen theme. */
export const applyTheme = (): void => {
  const theme = chosenTheme()
  document.documentElement.dataset.theme = theme === 'system' ? (prefersDark.matches ? 'dark' : 'light') : theme
}

export const chooseTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
  applyTheme()
}

prefersDark.addEventListener('change', applyTheme)
