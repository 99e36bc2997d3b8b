import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from './api/queryClient.js'
import { firstAnswer, TrackArea } from './areas/track/TrackArea.js'
import { show } from './show.js'

await firstAnswer()
show(
  <QueryClientProvider client={queryClient}>
    <TrackArea />
  </QueryClientProvider>,
)
