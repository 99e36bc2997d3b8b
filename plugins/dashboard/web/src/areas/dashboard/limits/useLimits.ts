import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'

export interface Bucket {
  readonly bucket: string
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number | null
  readonly resetSeconds: number | null
}

export interface LimitedKey {
  readonly id: string
  readonly label: string | null
  readonly elevated: boolean
  readonly buckets: readonly Bucket[]
}

interface LimitsAnswer {
  readonly keys: readonly LimitedKey[]
  readonly nextCursor: string | null
}

const PATH = '/dashboard/api/limits'
const REFRESH_MS = 5_000

/** The limits of all keys of an integrator in use, and what is left of them now. */
export const useKeyLimits = (query: Readonly<Record<string, string>>, enabled = true) => {
  const list = useInfiniteQuery({
    queryKey: [PATH, query],
    queryFn: ({ pageParam, signal }) =>
      callApi<LimitsAnswer>(PATH, { query: { ...query, limit: 100, cursor: pageParam }, signal }),
    // CAST: the pages are named by text, and the first by null.
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: whileShown(REFRESH_MS),
    enabled,
  })
  return { limits: list.data?.pages.flatMap(({ keys }) => keys), list }
}
