import type { BlockRef, TxRef } from './chainReferences.js'
import type { Json } from './json.js'

/** An exchange asked for on one chain; `amount` is of `from` for exact-input and of `to` for exact-output, smallest unit. */
export interface SwapRequest {
  readonly kind: 'exact-input' | 'exact-output'
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/** What a caller lets swaps use. */
export interface SwapLimits {
  /** Names of sources that may be used; absent: all. */
  readonly included?: readonly string[]
  readonly excluded?: readonly string[]
  /** Most pools in a row. */
  readonly maxHops: number
}

/** What one swap source offers for a request, before slippage. Plain data but for the amounts; see `swapOfferJson`. */
export interface SwapOffer {
  /** As `GET /swap-sources` names it (wire.md 4.11). */
  readonly source: string
  readonly from: string
  readonly to: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Pools in a row. */
  readonly hops: number
  /** Output of the same input at the mid price of the pools, without fee and depth; null where the source does not tell. */
  readonly midAmountOut: bigint | null
  /** Gas or compute that the swap adds to a transaction. */
  readonly gas: bigint
  /** What the source needs to run it: pools, fee tiers, calldata. */
  readonly route: Json
}

/** An offer with what it must give at least: what a transaction is built from. */
export interface SwapOrder {
  readonly offer: SwapOffer
  readonly minimumOut: bigint
  /** Unix seconds after which it reverts. */
  readonly deadline: number
}

/** Exchanging currencies of one chain, where the chain has swap sources configured. */
export interface SwapCapability {
  /** Names of the configured sources. */
  readonly sources: readonly string[]
  /** Wrapped form of the native currency, exchanged one to one; null where there is none. */
  readonly wrappedNative: string | null
  /** Contract of this service that swaps run through; nobody is to be paid there. Null where there is none. */
  readonly router: string | null
  /** Whether the solver can swap what it pays into another currency within one payout. */
  readonly payouts: boolean
  /**
   * Whether users can swap within the transaction of their deposit: then all that the swap gives is deposited, or, where a
   * transaction must name its amounts, just the minimum, and the rest stays with the user.
   */
  readonly deposits: 'all' | 'minimum' | null
  /**
   * Offers for each request, best first; empty where no source serves it. All requests together take one round trip to the
   * chain and one call to each HTTP source. A source that fails offers nothing. Throws ServiceError when the chain does
   * not answer.
   */
  offers(requests: readonly SwapRequest[], limits: SwapLimits): Promise<readonly (readonly SwapOffer[])[]>
  /** Names of the sources that failed when they were last asked; absent where the chain does not keep count. */
  silentSources?(): readonly string[]
  /** How many smallest units of `to` one whole unit of `from` (10^decimals) is worth at mid price, scaled by 10^18; null: no pool. */
  midPrices?(
    pairs: readonly { readonly from: string; readonly to: string; readonly unit: bigint }[],
  ): Promise<readonly (bigint | null)[]>
}

/** Value that a user moves alone on one chain, without the solver (wire.md 1.4: swap, send; K.1 9). */
export interface DirectRequest {
  readonly kind: 'send' | 'wrap' | 'unwrap' | 'swap'
  /** Carried by the transaction, so that it is recognised. */
  readonly requestId: `0x${string}`
  readonly from: string
  readonly recipient: string
  readonly money: { readonly currency: string; readonly amount: bigint }
  /** Canonical currency that arrives. */
  readonly currencyOut: string
  /** `swap` only. */
  readonly swap?: SwapOrder
  /** Parts of the input that go to the depository first, each under an order id; `swap` only, where `DirectCapability.deposits` says so. */
  readonly deposits?: readonly { readonly amount: bigint; readonly orderId: `0x${string}` }[]
  /** Part of the input that goes to `feeRecipient` first; `swap` only. */
  readonly fee?: { readonly amount: bigint; readonly recipient: string }
}

/** What a direct transaction did, proven by the chain. */
export interface DirectExecution {
  readonly requestId: `0x${string}`
  readonly tx: TxRef
  readonly block: BlockRef
  readonly currencyIn: string
  readonly amountIn: bigint
  readonly currencyOut: string
  readonly amountOut: bigint
  readonly recipient: string
  /** Native fee paid by the transaction, smallest unit. */
  readonly fee: bigint
  readonly txData: { readonly from: string; readonly to: string; readonly data: string; readonly value: string }
}

/** A transaction of a direct request that the chain shows as failed: it moved nothing. */
export interface DirectFailure extends Pick<DirectExecution, 'requestId' | 'tx' | 'block' | 'fee' | 'txData'> {
  readonly failed: true
  /** What the chain says of it in plain words, cut, when it can be had. */
  readonly reason: string | null
}

/** A transaction of a block that names a request, whatever it did. */
export interface DirectCandidate {
  readonly requestId: `0x${string}`
  readonly tx: TxRef
  /** Accounts that signed it, canonical. */
  readonly senders: readonly string[]
}

/** Offers of a stored payout or quote as JSON: amounts as decimal text. */
export const swapOrderJson = ({ offer, minimumOut, deadline }: SwapOrder): Json => ({
  ...offer,
  amountIn: offer.amountIn.toString(),
  amountOut: offer.amountOut.toString(),
  midAmountOut: offer.midAmountOut?.toString() ?? null,
  gas: offer.gas.toString(),
  minimumOut: minimumOut.toString(),
  deadline,
})

/** Reads what `swapOrderJson` wrote. */
export const readSwapOrder = (json: Json): SwapOrder => {
  // CAST: only this module writes it.
  const stored = json as unknown as Record<'source' | 'from' | 'to' | 'amountIn' | 'amountOut' | 'gas', string> & {
    readonly midAmountOut: string | null
    readonly minimumOut: string
    readonly hops: number
    readonly deadline: number
    readonly route: Json
  }
  return {
    offer: {
      source: stored.source,
      from: stored.from,
      to: stored.to,
      amountIn: BigInt(stored.amountIn),
      amountOut: BigInt(stored.amountOut),
      hops: stored.hops,
      midAmountOut: stored.midAmountOut === null ? null : BigInt(stored.midAmountOut),
      gas: BigInt(stored.gas),
      route: stored.route,
    },
    minimumOut: BigInt(stored.minimumOut),
    deadline: stored.deadline,
  }
}
