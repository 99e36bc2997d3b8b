/** What is read of `causeway chains status --json`. */
export interface ChainsReport {
  readonly at: string
  readonly chains: readonly ChainStatus[]
}

export interface EndpointStatus {
  readonly name: string
  readonly provider: string | null
  readonly state: string
  readonly head: string | null
  readonly behind: string | null
  readonly headAgeMs: number | null
  readonly reason: string | null
}

export interface ChainAlert {
  readonly kind: string
  readonly subject: string
  readonly details: string
  readonly firstSeen: string
  readonly count: number
}

export interface ChainStatus {
  readonly chainId: number
  readonly slug: string
  readonly name: string
  readonly vmType: string
  readonly enabled: boolean
  readonly reachable: boolean
  readonly why: string | null
  readonly head: { readonly height: string; readonly at: string; readonly ageSeconds: number } | null
  readonly endpoints: readonly EndpointStatus[]
  readonly quorum: { readonly trusted: number | null; readonly needed: number; readonly holds: boolean }
  readonly watcher: { readonly height: string; readonly lagBlocks: string | null; readonly ageSeconds: number } | null
  readonly halt: {
    readonly haltedAt: string
    readonly replaced: string
    readonly requests: number
    readonly payouts: number
  } | null
  readonly alerts: readonly ChainAlert[]
}

export type ChainState = 'well' | 'off' | 'halted' | 'unreachable' | 'quorum' | 'alert'

/** The one word for a chain: the worst of what is true. */
export const stateOfChain = ({ enabled, halt, reachable, quorum, alerts }: ChainStatus): ChainState => {
  if (halt !== null) return 'halted'
  if (!reachable) return 'unreachable'
  if (!quorum.holds) return 'quorum'
  if (alerts.length > 0) return 'alert'
  return enabled ? 'well' : 'off'
}
