import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/data.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queryClient.js'
import { sessionQuery } from './api/sessionQuery.js'
import { boot } from './boot.js'
import { Toasts } from './components/feedback/Toasts.js'
import { router } from './router.js'
import { applyTheme } from './shell/theme.js'

setNonce(boot.nonce)
applyTheme()
// Asked for before anything is drawn: it decides what is.
if (boot.area === 'dashboard' || boot.area === 'console') void queryClient.prefetchQuery(sessionQuery)

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </StrictMode>,
  )
}
