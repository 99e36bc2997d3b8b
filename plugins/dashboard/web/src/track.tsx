import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from './api/queryClient.js'
import { firstAnswer, TrackArea } from './areas/track/TrackArea.js'
import { show } from './show.js'

/** The transfer that the address of the page names; empty where it names none, or no text that anybody encoded. */
const named = (): string => {
  const part = /^\/track\/([^/]+)/.exec(location.pathname)?.[1] ?? ''
  try {
    return decodeURIComponent(part).trim()
  } catch {
    return ''
  }
}

const id = named()
await firstAnswer(id)
show(
  <QueryClientProvider client={queryClient}>
    <TrackArea id={id} />
  </QueryClientProvider>,
)
