import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './callApi.js'

/** What a further try may change: nobody answered, or the service was not ready. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500)

/**
 * `refetchInterval` of what stays up to date by asking. Where nothing could be loaded it waits for a click or for the network, so that
 * what failed stays on the page and does not flicker.
 */
export const whileShown =
  (ms: number) =>
  ({ state }: { readonly state: { readonly data: unknown } }): number | false =>
    state.data === undefined ? false : ms

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) => isPassing(error) && failures < 3,
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5_000),
      refetchOnWindowFocus: true,
    },
  },
})
