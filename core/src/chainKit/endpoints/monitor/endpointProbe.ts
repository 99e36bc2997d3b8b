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

/**
 * What a chain tells an `EndpointMonitor`, so that it can compare the chain's endpoints with each other. Heights are the chain's
 * own: of blocks, slots, ledgers, checkpoints.
 */
export interface EndpointProbe<Client> {
  /** What the chain calls what its heights count, in reasons that operators read. */
  readonly unit: string
  /**
   * The node's head, in as few requests as can be; null when it answers and does not tell. Throws `otherChain()` when the node does
   * not serve this chain (any more), and ServiceError when it does not answer.
   */
  head(client: Client, signal: AbortSignal): Promise<EndpointHead | null>
  /** What must be the same at every node: the hash of the block there; null where the node has none. */
  hashAt(client: Client, height: bigint, signal: AbortSignal): Promise<string | null>
  /** How far below the middle of what is comparable the compared height lies: `confirmations.settle`, or 0 below final blocks. */
  readonly depth: bigint
  /** Whether compared blocks never change. Others are asked for twice, since a reorg may pass between two answers. */
  readonly final: boolean
  /** How far above the middle one no honest head is. */
  readonly maxAhead: bigint
  /** From how much `progress` behind the others on an endpoint lags, and how that is told. */
  readonly lag: { readonly limit: bigint; readonly reason: string }
}
