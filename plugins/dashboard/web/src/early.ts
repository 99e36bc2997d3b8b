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

  // A page that was sent drawn is seen before what takes it over is loaded and run: the first of these, which needs the others.
  const scripts = document.currentScript?.dataset.next?.split(' ') ?? []
  const load = (href: string): void => {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  const [first] = scripts
  const takeOver = (script: string): void => {
    for (const each of scripts) load(each)
    const run = (): unknown => import(/* @vite-ignore */ script)
    if (document.hidden) run()
    else requestAnimationFrame(() => setTimeout(run))
  }
  if (first !== undefined) document.addEventListener('DOMContentLoaded', () => takeOver(first))

  // It can be pressed before that is there: the last press is done then. What is pressed later, the page hears itself.
  let pressed: HTMLElement | null = null
  const remember = ({ target }: Event): void => {
    pressed = target instanceof Element ? target.closest('button') : null
  }
  document.addEventListener('click', remember, true)
  window.addEventListener('causeway:listens', () => document.removeEventListener('click', remember, true))
  window.addEventListener('causeway:ready', () => pressed?.click(), { once: true })
}
