// Runs before a page is shown. A script of its own that nothing is imported into, for all others come later.
{
  const root = document.documentElement
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')
  const stored = (): string | null => {
    try {
      return localStorage.getItem('causeway.theme')
    } catch {
      return null
    }
  }
  let theme = stored()
  const apply = (): void => {
    root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : prefersDark.matches ? 'dark' : 'light'
  }
  apply()
  prefersDark.addEventListener('change', apply)
  window.addEventListener('causeway:theme', (event) => {
    theme = event instanceof CustomEvent ? String(event.detail) : stored()
    apply()
  })

  // A page that was sent drawn is seen before the script that takes it over has the processor.
  const next = document.currentScript?.dataset.next
  if (next !== undefined) {
    const come = (): unknown => import(/* @vite-ignore */ next)
    if (document.hidden) come()
    else requestAnimationFrame(() => setTimeout(come))
  }

  // It can be pressed before that is there: the last press is done then.
  let pressed: HTMLElement | null = null
  const remember = ({ target }: Event): void => {
    pressed = target instanceof Element ? target.closest('button') : null
  }
  document.addEventListener('click', remember, true)
  window.addEventListener(
    'causeway:ready',
    () => {
      document.removeEventListener('click', remember, true)
      pressed?.click()
    },
    { once: true },
  )
}
