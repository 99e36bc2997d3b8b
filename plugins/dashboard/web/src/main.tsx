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
import { Tooltip } from 'radix-ui'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/queryClient.js'
import { boot } from './boot.js'
import { Toasts } from './components/feedback/Toasts.js'
import { router } from './router.js'
import { applyTheme } from './shell/theme.js'

setNonce(boot.nonce)
applyTheme()

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delayDuration={300}>
          <RouterProvider router={router} />
          <Toasts />
        </Tooltip.Provider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
