import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './api/queryClient.js'
import { sessionQuery } from './api/sessionQuery.js'
import { boot } from './boot.js'
import { router } from './router.js'
import { show } from './show.js'

// Asked for before anything is drawn: it decides what is.
if (boot.area !== 'try') void queryClient.prefetchQuery(sessionQuery)

show(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
