import { type ReactNode, StrictMode, useEffect } from 'react'
import { Toasts } from './components/feedback/Toasts.js'

/** Says that the page answers now; `early.ts` waits for it. */
const Ready = () => {
  useEffect(() => {
    window.dispatchEvent(new Event('causeway:ready'))
  }, [])
  return null
}

/** What every page is: the same where the service draws it and where the browser takes that over. */
export const wholePage = (page: ReactNode): ReactNode => (
  <StrictMode>
    {page}
    <Toasts />
    <Ready />
  </StrictMode>
)
