import './styles/styles.js'
import { setNonce } from 'get-nonce'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { boot } from './boot.js'
import { wholePage } from './wholePage.js'

/** Draws a page, as each of them begins; takes over what the service has drawn. */
export const show = (page: ReactNode): void => {
  setNonce(boot.nonce)
  const root = document.getElementById('root')
  if (root === null) return
  // `early.ts` waits for it.
  window.dispatchEvent(new Event('causeway:listens'))
  if (boot.drawn === null) createRoot(root).render(wholePage(page))
  else hydrateRoot(root, wholePage(page))
}
