export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'causeway.theme'

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

/** Shows the page in a theme, by the script that does so before all else (`early.ts`), and keeps the choice. */
export const chooseTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
  window.dispatchEvent(new CustomEvent('causeway:theme', { detail: theme }))
}
