import './styles/styles.js'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { boot } from './boot.js'
import { Toasts } from './components/feedback/Toasts.js'
import { applyTheme } from './shell/theme.js'

/** Draws a page, as each of them begins. */
export const show = (page: ReactNode): void => {
  setNonce(boot.nonce)
  applyTheme()
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      {page}
      <Toasts />
    </StrictMode>,
  )
}
