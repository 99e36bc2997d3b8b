import type { Hex } from '../money/hex.js'
import type { SweepSource } from './address/depositAddresses.js'
import type { BlockRef, ChainMoney, Destination, TxRef } from './chainReferences.js'
import type { Json } from './json.js'
import type { SignedPermit } from './origin/signedDeposits.js'
import type { Signer } from './signer.js'
import type { SwapOrder } from './swaps.js'

/**
 * Why money leaves (architecture.md 3). `send` and `approve` are orders of the operator, without a deposit: money out of the wallet, and
 * a contract of this deployment that may take `money` from it (`ChainAdapter.spenders`). `origin` is a transaction sent for a user who only
 * signed: it costs the lane its fee alone.
 */
export type PayoutPurpose =
  | 'fill'
  | 'refund'
  | 'excess'
  | 'sweep'
  | 'withdraw'
  | 'claim'
  | 'send'
  | 'approve'
  | 'origin'

/** A call run on the destination after the payment. */
export interface PayoutCall {
  readonly to: string
  readonly data: Hex
  readonly value: bigint
}

/** A signed EIP-7702 authorization. */
export interface Delegation {
  readonly chainId: number
  readonly address: string
  readonly nonce: number
  readonly yParity: number
  readonly r: string
  readonly s: string
}

/** What is to be paid, as the chain needs to know it. */
export interface Payout {
  readonly purpose: PayoutPurpose
  /** The order this answers; written into the transaction (chains.md, What proves a fill or refund). */
  readonly orderId: Hex
  /**
   * Account of the lane, whose sequence or coins the transaction takes and who pays its fee. Of a withdrawal too, although the money
   * leaves the depository: where `cosigns` is set both keys sign, and `from` is still the lane's.
   */
  readonly from: string
  readonly to: Destination
  readonly money: ChainMoney
  readonly calls: readonly PayoutCall[]
  /** Turns `money` into what the recipient gets, or the calls work with, within the same transaction. */
  readonly swap?: SwapOrder
  /** Native currency for the recipient beside `money`, paid by `from` (wire.md G.1). */
  readonly topup?: bigint
  /** Gas that the caller sets aside for all calls (wire.md 1.2 txsGasLimit). */
  readonly callsGasLimit?: bigint
  /**
   * Most native currency, smallest unit, that the transaction's own limits may let it take at the fee level of now; absent: as
   * the adapter sees fit. What cannot be done within it is not prepared (faults.md F124).
   */
  readonly feeLimit?: bigint
  /** Delegations of accounts to code, applied by the transaction (EIP-7702, wire.md 1.2 authorizationList). */
  readonly delegations?: readonly Delegation[]
  /** `sweep` only: what is taken to the depository, which is `to`; `money` is what lay there when it was planned. */
  readonly sweep?: SweepSource
  /** `withdraw` only: what the allocator signed; anyone may submit it. */
  readonly authorization?: WithdrawAuthorization
  /** `origin` only: what the owner signed; `to` is the depository, and `money` what is to arrive there. */
  readonly permit?: SignedPermit
  /**
   * `origin` only, without `permit`: a call that a user wants sent (wire.md 2.6), run by an account that holds nothing but gas; `to` is its
   * target, `money` no amount of the native currency.
   */
  readonly call?: PayoutCall
}

/** A signed request to take a deposit out of the depository; `nonce` and `expiration` are fixed per deposit, so it can never run twice. */
export interface WithdrawAuthorization {
  readonly nonce: Hex
  /** Unix seconds. */
  readonly expiration: number
  readonly signature: Hex
}

/** Unsigned: everything chosen but the signature. Plain data, so it can be stored and compared. */
export interface PreparedAttempt {
  readonly kind: 'pay' | 'cancel'
  /** Adapter's own description of the transaction (nonce, fees, gas, calldata ...); amounts as decimal text. */
  readonly transaction: Json
  /**
   * Keys no other payout on this chain may hold: `nonce:<address>:<n>`, an outpoint, an expiry. Versions of a generation share
   * them. Those that begin with `request:` are inner authorisations: a later generation of the payout uses them again.
   */
  readonly guards: readonly string[]
  /** Most that the network can take for it, native smallest unit. */
  readonly feeCap: bigint
}

/** Signed bytes with their hash. Stored before they are broadcast. */
export interface SignedAttempt extends PreparedAttempt {
  readonly txId: string
  /** Of `TxRef`, where it is known before the transaction is sent; `AttemptState.locator` takes its place. */
  readonly locator?: Json
  readonly raw: Hex
}

/** A transaction that was sent for a payout, to be looked up. */
export interface SentAttempt extends Pick<SignedAttempt, 'txId' | 'locator'> {
  readonly payout: Payout
}

/**
 * Answer of a broadcast. `unknown` covers every answer after which the transaction may still land (time-outs, errors of a
 * node that accepted it, F54); `known` also "already known". `rejected` means this node refused the bytes. `expired`: this node says
 * that their time is over, so that it takes them no more; they may have landed before. None of these words lets money be paid anew:
 * that takes `LaneAdapter.payoutVerdict`.
 */
export type BroadcastResult =
  | { readonly outcome: 'known' }
  | { readonly outcome: 'expired'; readonly message: string }
  | { readonly outcome: 'unknown'; readonly message: string }
  | {
      readonly outcome: 'rejected'
      readonly reason: 'nonce-too-low' | 'underpriced' | 'insufficient-funds' | 'invalid'
      readonly message: string
    }

/** Where a broadcast transaction stands. */
export interface AttemptState {
  readonly status: 'missing' | 'pending' | 'success' | 'reverted'
  /** Of `TxRef`, where the chain tells it only now: stored with the attempt, and handed back from then on. */
  readonly locator?: Json
  readonly block: BlockRef | null
  /** Blocks on top, the including one counted; 0 while not included. */
  readonly confirmations: number
  /** Native fee really paid, smallest unit; of a transaction that carries several payouts that of the whole, unless `bearsPart`. */
  readonly fee: bigint
  /**
   * Set where payouts that share a transaction each bear a part of its fee, which is known once that payout has arrived: `fee` is the part,
   * and the parts add up to what the transaction cost.
   */
  readonly bearsPart?: true
  /**
   * `capital` where the fee was taken from money that no book holds, such as what the operator left on an account that pays its own
   * fees; absent: from the lane's wallet. The same in every state of a transaction.
   */
  readonly feeFrom?: 'capital'
  /**
   * What the payout's currency itself took of the lane's wallet beyond the payment, or of a withdrawal before it reached the wallet, its
   * smallest unit; absent: nothing. Below 0 where the ledger's own rounding left the wallet more than that.
   */
  readonly currencyFee?: bigint
  /**
   * What the recipient really got, in the payout's currency or in the one that its swap gives; null where the chain does not show
   * it, never as a guess: 0 beside `success` says that nothing arrived, and the payment is made again (faults.md F123).
   */
  readonly paid: bigint | null
  /**
   * What the calls of the payment left for the recipient, in the currency of `paid`, where the chain shows it; absent: no calls, or not
   * shown. For the record alone: the calls had all of `paid` at their disposal, whatever they left.
   */
  readonly received?: bigint
  /** Revert text, cut, when it can be had. */
  readonly revert: string | null
  readonly txData: { readonly from: string; readonly to: string; readonly data: string; readonly value: string } | null
}

/** What became of a generation of a payout, judged at finality: it can never land, it still may, or it did. */
export type PayoutVerdict = 'dead' | 'alive' | 'landed'

/** An outgoing transaction found on the chain that the journal does not know. */
export interface OutgoingTransaction {
  readonly tx: TxRef
  readonly guards: readonly string[]
  /** Order id it carries, or null. */
  readonly orderId: Hex | null
  /** Who was paid, as `destinationText` writes it: with another tag it is another payment. */
  readonly to: string
  readonly money: ChainMoney
  readonly purpose: PayoutPurpose | null
  readonly status: 'pending' | 'success' | 'reverted'
  /** Native fee it took, smallest unit; of several payments in one transaction the first has it. Absent: not told. */
  readonly fee?: bigint
  readonly block: BlockRef | null
}

/** Result of comparing a lane's journal with the chain, before it opens. */
export interface LaneReading {
  /** Where the next transaction goes on; stored as the lane's journal. */
  readonly position: Json
  /** Transactions since the journal that it does not hold; empty when they agree. */
  readonly unknown: readonly OutgoingTransaction[]
  /** False when the unknown ones could not all be found (pruned or too far back): the operator must decide. */
  readonly complete: boolean
  /** Why they could not all be found, as a part of a sentence for the operator; the same while nothing changes. */
  readonly gap?: string
}

/** Where a lane goes on as its journal has it, and the last journalled block. */
export interface LanePlace {
  readonly position: Json
  readonly sinceHeight: bigint
}

/**
 * How long signed bytes stay valid on a chain where nothing shows them before they land, in points of that chain's own counting (blocks):
 * what a database lost may still land until then (faults.md F121).
 */
export interface LaneValidity {
  /** The point after which nothing can land that was signed until now; as the provider that is furthest says. */
  until(): Promise<bigint>
  /** Whether a final block lies beyond it, by as many providers as `LaneAdapter.read` asks. */
  isOver(until: bigint): Promise<boolean>
}

/** Times of a chain whose blocks are far apart, milliseconds. */
export interface LanePace {
  /** A transaction that is in no block for this long is sent again at a higher fee. */
  readonly bumpAfterMs: number
  /** A payout that is in no block after this is cancelled. */
  readonly inclusionWindowMs: number
}

/**
 * The signing side of a chain: prepare -> sign -> (host stores) -> broadcast -> state -> replace. The host owns locking,
 * storage and retries; `position` is opaque to it (an EVM nonce, a seqno, coins).
 */
export interface LaneAdapter {
  /** How patient payouts are to be on this chain; absent: as the solver is everywhere. */
  readonly pace?: LanePace
  /**
   * Blocks that the host lets pass after the first `dead` before it asks again and only then pays anew: a guard against a
   * verdict that came too early (F122). Absent: `confirmations.settle` where payments expire (`capabilities.bump`) and blocks
   * may be replaced (`capabilities.absoluteFinality`), else 0.
   */
  readonly deathMargin?: number
  /**
   * Most payouts that one transaction may carry: where it is more than 1, entries that `prepare` gives may be one and the same object.
   * The host signs, stores and sends it once, replaces and cancels it as a whole, and judges each payout alone by what `states` says
   * reached its recipient; so no two of them are to one recipient, unless the chain tells them apart. Absent: 1.
   */
  readonly payoutsPerTransaction?: number
  /** Absent: what is sent can be seen at once, or its guard lets one of several land. */
  readonly validity?: LaneValidity
  addressOf(signer: Signer): string
  /**
   * Compares the stored position (null: first use) with the chain, pending transactions included, at every trusted provider: what
   * one does not show another may. Throws ServiceError when too few answer: two must where two are configured.
   */
  read(address: string, stored: LanePlace | null): Promise<LaneReading>
  /**
   * The position of a key that sent nothing up to a height: `read` from there tells all that it sent later, for a journal that was lost
   * with it (faults.md F120). Absent where a key cannot be read so: an operator decides then.
   */
  beginning?(height: bigint): Json
  /**
   * Whether the key has sent anything, as any trusted provider shows. A lane whose key was used before this database knew it waits for the
   * operator, since another deployment may pay by that key. Absent: the chain does not tell, and the lane opens.
   * @throws ServiceError SERVICE_UNAVAILABLE when too few answer
   */
  hasSent?(address: string): Promise<boolean>
  /**
   * As `read`, and of what the key sent since these guards were chosen nothing is taken for known: something else spent one of them.
   * Absent where guards expire and are never spent by anything else.
   */
  readAgain?(address: string, stored: LanePlace, guards: readonly string[]): Promise<LaneReading>
  /**
   * Gives each payout its guards and fees, in order, beginning at `position`; `gas` is that of its simulation, null where there was none,
   * 0 on a chain that has no such measure. Null
   * for a payout that cannot be made now, since others hold what it needs (coins) or it would take more than its `feeLimit`:
   * `position` says nothing of it.
   */
  prepare(
    payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[],
    position: Json,
  ): Promise<{ readonly prepared: readonly (PreparedAttempt | null)[]; readonly position: Json }>
  /**
   * Throws ServiceError when the recovered address is not the lane's. `allocator` signs along where `cosigns` says so, and a key derived from
   * `seed` where a deposit address is spent from by its own (`DepositAddresses.forms`); a sweep without it is refused there.
   */
  sign(prepared: PreparedAttempt, signer: Signer, allocator?: Signer, seed?: Uint8Array): Promise<SignedAttempt>
  /** Repeatable with the same bytes; one batched round trip. Results in the order given. */
  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]>
  /** States in the order given, one batched round trip. `payout` lets the chain say what arrived. */
  states(attempts: readonly SentAttempt[]): Promise<readonly AttemptState[]>
  /** The same payment at a higher fee under the same guards, or null when the chain has no replacement. */
  replace(attempt: PreparedAttempt, options: { readonly version: number }): Promise<PreparedAttempt | null>
  /** Spends the guards for nothing, or null when the chain has no such thing. */
  cancel(attempt: PreparedAttempt, options: { readonly version: number }): Promise<PreparedAttempt | null>
  /**
   * Spends the guards of a transaction that was found on the chain, and whose bytes nobody here has, for nothing; null or absent
   * where that cannot be: it lands, or expires by itself.
   */
  cancelFound?(found: Pick<SignedAttempt, 'txId' | 'locator' | 'guards'>): Promise<PreparedAttempt | null>
  /**
   * What became of a generation: `dead` when its guards are spent elsewhere and none of `txIds` succeeded, `landed` when one of
   * them did, `alive` in doubt. Two providers must say so where there are two, `agreeing` when it is more. With
   * `payout`, a transaction that succeeded and brought its recipient nothing counts as one that failed; a chain where whatever
   * succeeds has paid need not look at it. `locators` has those of `txIds` that are known, by id; absent: none.
   */
  payoutVerdict(
    guards: readonly string[],
    txIds: readonly string[],
    options?: {
      readonly agreeing: number
      readonly payout?: Payout
      readonly locators?: Readonly<Record<string, Json>>
    },
  ): Promise<PayoutVerdict>
  /**
   * False while a generation that no node shows can certainly still land, from memory or by one quick reading at one node:
   * `payoutVerdict`, which asks all providers, need not be asked then. Absent: it is always asked.
   */
  mayBeDead?(guards: readonly string[]): Promise<boolean>
  /**
   * True where a withdrawal is a transaction that the depository's own key signs beside the solver's, not a request that
   * anyone could submit: the payout has no `authorization` then, and `sign` needs the allocator.
   */
  readonly cosigns?: boolean
  /** Signs the allocator's request that moves `money` from the depository to `to` (chains.md, Depository contract). */
  authorizeWithdrawal?(
    request: {
      readonly to: string
      readonly money: ChainMoney
      readonly nonce: Hex
      readonly expiration: number
      readonly orderId: Hex
    },
    allocator: Signer,
  ): Promise<WithdrawAuthorization>
}
