import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiFailure, callApi } from '../../../api/callApi.js'
import { type LiveState, useLiveState, useStatusEvents } from '../../../api/statusEvents.js'
import { trackTexts } from '../../../texts/trackTexts.js'

export interface TransferLink {
  readonly chainId: number
  readonly txHash: string
  readonly explorerUrl: string | null
}

interface TransferChain {
  /** Null where it is private. */
  readonly name: string | null
  readonly explorerUrl: string | null
}

/** What `GET /track/api/{id}` answers. */
export interface Transfer {
  readonly requestId: string
  readonly status: string
  readonly originChainId: number
  readonly destinationChainId: number
  readonly updatedAt: number
  readonly quoteCreatedAt: number
  readonly failReason: string
  /** Why it was not paid, where `failReason` says that an operator sent the money back. */
  readonly firstFailReason: string | null
  readonly refundFailReason: string
  readonly details: string | null
  readonly chains: { readonly origin: TransferChain; readonly destination: TransferChain }
  readonly links: {
    /** The own payment to an address. */
    readonly payment: TransferLink | null
    readonly in: readonly TransferLink[]
    readonly out: readonly TransferLink[]
  }
}

export const ABSENT = 'N/A'

const POLL_MS = { polling: 2_000, live: 10_000, ended: 15_000, unknown: 4_000 } as const
const ENDED: ReadonlySet<string> = new Set(['success', 'refund'])

export const isEnded = (status: string): boolean => ENDED.has(status)

/** Nobody answered, or the host was not ready: what a restart looks like from here. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.status === 429)

/** How long until the page asks again; a failure may still become a refund, an ended transfer does not change. */
const pauseOf = (transfer: Transfer | undefined, error: unknown, live: LiveState): number | false => {
  if (error instanceof ApiFailure && error.status === 401) return false
  if (isPassing(error)) return POLL_MS.polling
  if (transfer === undefined) return POLL_MS.unknown
  if (isEnded(transfer.status)) return false
  return transfer.status === 'failure' && live === 'live' ? POLL_MS.ended : POLL_MS[live]
}

/** A transfer by any id of it. A failure is told at once, and not asked about again by a page that opens. */
export const transferQuery = (id: string) =>
  queryOptions({
    queryKey: ['transfer', id],
    queryFn: ({ signal }) => callApi<Transfer>(`/track/api/${encodeURIComponent(id)}`, { signal }),
    retry: false,
    retryOnMount: false,
  })

/** Follows a transfer: by what is pushed, by asking meanwhile; keeps what it has while nobody answers. */
export const useTransfer = (id: string) => {
  const client = useQueryClient()
  const live = useLiveState()
  const options = transferQuery(id)
  const query = useQuery({ ...options, refetchInterval: ({ state: { data, error } }) => pauseOf(data, error, live) })
  const { data } = query
  useStatusEvents(data === undefined || isEnded(data.status) ? null : data.requestId, () => {
    void client.invalidateQueries({ queryKey: options.queryKey })
  })
  return query
}

/** Names of its chains, as they read in a sentence. */
export const chainNames = ({ chains }: Pick<Transfer, 'chains'>): readonly [string, string] => [
  chains.origin.name ?? trackTexts.anotherChain,
  chains.destination.name ?? trackTexts.anotherChain,
]
