import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { type CallOptions, callApi } from '../../../api/callApi.js'

export interface CursorListOptions<Answer, Row> {
  readonly path: string
  readonly query: NonNullable<CallOptions['query']>
  /** Name of the parameter that the next page begins with; default `cursor`. */
  readonly cursor?: string
  readonly enabled?: boolean
  /** While only the first page is there; longer lists stay as they are. */
  readonly refreshMs?: number
  rowsOf(answer: Answer): readonly Row[]
  nextOf(answer: Answer): string | null | undefined
}

/** A list that comes in pages, in the words of `DataTable`. */
export const useCursorList = <Answer, Row>(options: CursorListOptions<Answer, Row>) => {
  const { path, query, cursor = 'cursor', enabled = true, refreshMs, rowsOf, nextOf } = options
  const list = useInfiniteQuery({
    queryKey: [path, query],
    queryFn: ({ pageParam, signal }) =>
      callApi<Answer>(path, { query: { ...query, ...(pageParam === null ? {} : { [cursor]: pageParam }) }, signal }),
    // CAST: the pages are named by text, and the first by null.
    initialPageParam: null as string | null,
    getNextPageParam: nextOf,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (refreshMs !== undefined && state.data?.pages.length === 1 ? refreshMs : false),
  })
  const { fetchNextPage, refetch, data, error, hasNextPage, isFetchingNextPage } = list
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const retry = useCallback(() => void refetch(), [refetch])
  /** Loads pages until the list is complete or has `most` rows; returns its rows. */
  const loadAll = useCallback(
    async (most: number): Promise<readonly Row[]> => {
      let loaded = await fetchNextPage()
      const read = () => loaded.data?.pages.flatMap(rowsOf) ?? []
      while (loaded.hasNextPage && !loaded.isError && read().length < most) loaded = await fetchNextPage()
      if (loaded.isError) throw loaded.error
      return read()
    },
    [fetchNextPage, rowsOf],
  )
  // Asked for at every turn of a wheel; made anew when a page comes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what reads a page is the same function in other words
  const rows = useMemo(() => data?.pages.flatMap(rowsOf), [data])
  const table = {
    rows,
    error,
    retry,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore,
  }
  return { table, first: data?.pages[0], isStale: list.isPlaceholderData, refetch, loadAll }
}
