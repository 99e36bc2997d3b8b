import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from './api/queryClient.js'
import { TrackArea } from './areas/track/TrackArea.js'
import { show } from './show.js'

show(
  <QueryClientProvider client={queryClient}>
    <TrackArea />
  </QueryClientProvider>,
)
