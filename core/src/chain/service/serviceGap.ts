/** Sentences on why a chain takes no quotes now, for every reader; null: quotes are taken. */
export interface ServiceGap {
  /** Why no value moves from this chain. */
  readonly from: string | null
  /** Why no value moves to this chain. */
  readonly to: string | null
}

/** The processes and the lane of a chain, as the database has them. */
export interface ServiceFacts {
  /** Milliseconds since the lease of the watcher ended, below 0 while it is held; null: no watcher ever ran. */
  readonly watcherGoneMs: number | null
  readonly solverGoneMs: number | null
  /** A watcher has stored where it reads on. Before, it begins at the tip of then, and a deposit made earlier would be missed. */
  readonly isBegun: boolean
  /** Null: the lane was never opened. */
  readonly lane: 'open' | 'settling' | 'quarantined' | null
  /** Settled blocks were replaced, and no operator has released the chain. */
  readonly halted: boolean
}

/** Default of how long a role may be missing. */
export const UNATTENDED_MS = 30_000

/** Judges the facts; null: nothing stands in the way. `limitMs`: how long a role may be missing. */
export const serviceGapOf = (chainId: number, facts: ServiceFacts, limitMs: number): ServiceGap | null => {
  const missing = [
    ...((facts.watcherGoneMs ?? 0) > limitMs ? ['No watcher of this service has read'] : []),
    ...((facts.solverGoneMs ?? 0) > limitMs ? ['No solver of this service has worked on'] : []),
  ].map((text) => `${text} chain ${chainId} for more than ${Math.round(limitMs / 1000)} s.`)
  const from = [
    ...missing,
    ...(facts.isBegun ? [] : [`No watcher of this service has begun to read chain ${chainId}.`]),
    ...(facts.halted
      ? [`Final blocks of chain ${chainId} were replaced, and the operator has not checked them yet.`]
      : []),
  ]
  const to = [...missing, ...closedLane(chainId, facts.lane)]
  return from.length + to.length === 0 ? null : { from: sentence(from), to: sentence(to) }
}

const closedLane = (chainId: number, lane: ServiceFacts['lane']): readonly string[] => {
  if (lane === 'quarantined') return [`Payouts on chain ${chainId} are paused until the operator has checked them.`]
  if (lane === 'settling')
    return [`Payouts on chain ${chainId} are paused while earlier ones are compared with the chain.`]
  return []
}

const sentence = (parts: readonly string[]): string | null => (parts.length === 0 ? null : parts.join(' '))
