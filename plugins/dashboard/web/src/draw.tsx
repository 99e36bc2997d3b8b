import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { TrackArea } from './areas/track/TrackArea.js'
import { transferQuery } from './areas/track/transfer/transfer.js'
import { type Boot, bootAs } from './boot.js'
import { SignInPage } from './shell/session/SignIn.js'
import { wholePage } from './wholePage.js'

/**
 * Draws in the service what a page begins with, as the entry of the same name takes it over (`signIn.tsx`, `track.tsx`): markup for its
 * root. In English until there is another language; then the reader's must be known here.
 */
export const drawSignIn = (facts: Boot): string => {
  bootAs(facts)
  return renderToString(
    wholePage(<SignInPage operator={facts.area === 'console'} ended={false} onDone={() => undefined} />),
  )
}

/** The page of a transfer with what is known of it, which the facts have; of no transfer the one that asks for an id. */
export const drawTrack = (facts: Boot, id: string): string => {
  bootAs(facts)
  const client = new QueryClient()
  client.setQueryData<unknown>(transferQuery(id).queryKey, facts.drawn?.transfer)
  return renderToString(
    wholePage(
      <QueryClientProvider client={client}>
        <TrackArea id={id} />
      </QueryClientProvider>,
    ),
  )
}
