import type { RpcEndpoint } from './endpoint/rpcEndpoint.js'

/** A currency the operator's solver holds on a chain, as the configuration lists it. */
export interface CurrencyConfig {
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** The same asset on several chains shares it (wire.md 0.2 groupID). */
  readonly groupId: string
  readonly logoURI?: string
  readonly verified?: boolean
  readonly supportsPermit?: boolean
}

/** One entry of `chains` in the configuration, checked, `options` still the package's own. */
export interface ChainConfig {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly package: string
  readonly rpc: readonly RpcEndpoint[]
  readonly currencies: readonly CurrencyConfig[]
  /** Blocks on the fill before `success` (1), before money is called final (settle), before a deposit may be filled. */
  readonly confirmations: {
    readonly fill: number
    readonly success: number
    readonly settle: number
    readonly settleSeconds: number
  }
  /**
   * From which worth on how many providers must show a deposit, and how deep, before money moves because of it (invariant
   * 3). Absent: two above a default amount where there are two; an empty list: never. Read it through `quorumDemand`.
   */
  readonly quorum?: readonly QuorumTier[]
  /** Address the solver pays from; known to every role, its key only to the solver's. */
  readonly solver: string
  /** Account that sends calls which strangers wrote, and holds nothing but gas; absent: none are sent here. */
  readonly originSender?: string
  /** Addresses it paid from before: where a restored database forgot them, what they paid is looked for (faults.md F120). */
  readonly formerSolvers?: readonly string[]
  readonly enabled: boolean
  readonly limits?: {
    /** Most that the payout key may sign away in an hour, by currency; amounts in whole units as decimal text. */
    readonly perHour: readonly { readonly currency: string; readonly amount: string }[]
    /** Most worth of deposits here that may be paid for before they are settled, dollars as text; absent or `none`: no limit. */
    readonly unsettledUsd?: string
  }
  /** A private chain's UUID (wire.md K.3 8). */
  readonly privateId?: string
  readonly explorerUrl?: string
  readonly iconUrl?: string
  readonly options: Readonly<Record<string, unknown>>
}

/** One tier of `quorum`. */
export interface QuorumTier {
  /** Dollars as decimal text; the tier holds for amounts worth more. */
  readonly aboveUsd: string
  /** Distinct providers that must show the same deposit. */
  readonly agreeing: number
  /** Blocks on the deposit, its own counted; absent: those of `confirmations.fill`. */
  readonly confirmations?: number
}
