import type { JsonRpcProtocol, RpcCall, RpcOutcome } from './jsonRpcEndpoint.js'

/** What an endpoint shows of its chain. */
export interface EndpointHead {
  /** Of the newest block. */
  readonly height: bigint
  /** What its lag is measured in: the head's time in Unix seconds, or its height. */
  readonly progress: bigint
  /** Blocks are compared `depth` below this: the height of the newest block, or of the newest final one. */
  readonly comparable: bigint
  /** Unix seconds; null when the endpoint does not tell. */
  readonly time: number | null
}

/** What a chain tells an `EndpointMonitor`, so that it can compare the chain's endpoints with each other. */
export interface EndpointProbe {
  /** What the chain calls what its heights count, in reasons that operators read. */
  readonly unit: 'block' | 'slot'
  /** Sent first in the batch that `headCalls` complete; an endpoint that does not match serves another chain. */
  readonly identify: JsonRpcProtocol['identify']
  readonly headCalls: readonly RpcCall[]
  /** `outcomes` are those of `headCalls`. Throws ServiceError when an answer that matters is missing. */
  readHead(outcomes: readonly RpcOutcome[]): EndpointHead
  /** How far below the middle of what is comparable the compared height lies. */
  readonly depth: bigint
  /** Whether compared blocks never change. Others are asked for twice, since a reorg may pass between two answers. */
  readonly final: boolean
  hashCall(height: bigint): RpcCall
  /** `result` is the answer to `hashCall`, and not null. */
  readHash(result: unknown): string
  /** How far above the middle one no honest head is. */
  readonly maxAhead: bigint
  /** From how much `progress` behind the others on an endpoint lags, and how that is told. */
  readonly lag: { readonly limit: bigint; readonly reason: string }
}
