import type { ChainMoney, TxRef } from '../../chain/chainReferences.js'
import type { Json } from '../../chain/json.js'
import type { AttemptState, BroadcastResult, Payout, SignedAttempt } from '../../chain/laneAdapter.js'
import type { Signer } from '../../chain/signer.js'
import type { RequestRules } from '../lane/requestGuard.js'
import type { SequenceSlot } from './numbers/sequenceGuard.js'

/** Where a chain stands, as one node shows it. */
export interface LaneMoment {
  /** Height of the newest block; confirmations are counted by it. */
  readonly height: bigint
  /** Height of the newest block that can never leave the chain. Absent where finality is absolute: `height`. */
  readonly final?: bigint
  /** Where payments expire by time, in the unit of `until`: that of both blocks. Absent: they expire by height. */
  readonly time?: { readonly newest: bigint; readonly final: bigint }
}

/**
 * A transaction of one of the lane's accounts, as one node shows it. Purpose, order and status follow from `memo`, `block` and `revert`;
 * an account other than the lane's own pays fees out of the operator's capital.
 */
export interface SentTransaction
  extends SequenceSlot,
    Pick<AttemptState, 'block' | 'fee' | 'bearsPart' | 'currencyFee'> {
  /** A locator in it is stored and comes back with the next question. */
  readonly tx: TxRef
  /** Where the chain does not show it: the latest that it can have been. */
  readonly until: bigint
  /** Text by which a payment names its order (`paymentMemo`); null for a transaction that names none. */
  readonly memo: string | null
  /** Recipient with its tag, as `destinationText` writes it. */
  readonly to: string
  /** Position of the payment in its transaction, which tells equal payments apart; absent: the transaction carries one payment. */
  readonly place?: number
  /** Amount to be paid. */
  readonly money: ChainMoney
  /** Amount that arrived at `to`, 0 for a transaction that pays no account; null where the chain does not show it. */
  readonly arrived: ChainMoney | null
  /** Why it failed in its block; null where it succeeded, or is in no block. */
  readonly revert: string | null
  readonly txData: NonNullable<AttemptState['txData']>
}

/** A transaction that was looked up by its id, as one node shows it; its number is needed where numbers are strictly in order. */
export type ShownTransaction = Pick<
  SentTransaction,
  'tx' | 'to' | 'arrived' | 'block' | 'fee' | 'bearsPart' | 'currencyFee' | 'revert'
> &
  Pick<AttemptState, 'txData'> &
  Partial<Pick<SequenceSlot, 'sequence'>>

/** A question to a node about an account. */
export interface LaneQuestion {
  readonly account: string
  /**
   * Transactions to be looked up by their ids and locators. `payout` where a state is asked for: what a transaction cost or brought may
   * depend on what it was to pay.
   */
  readonly attempts: readonly { readonly txId: string; readonly locator?: Json; readonly payout?: Payout }[]
}

/**
 * An account as one node shows it. No member may be older than `moment`: ask for the head first, and for the rest once it is there. One
 * batch is enough only where the node answers it in order, or all of it from one state.
 */
export interface AccountReading {
  readonly moment: LaneMoment
  /** In the order asked; null: this node does not show it. */
  readonly transactions: readonly (ShownTransaction | null)[]
  /**
   * Where numbers are strictly in order: the number that the account takes next, in the state of `moment.final`, and with everything
   * that this node shows, pending included. Null: the account does not exist.
   */
  readonly next?: { readonly final: bigint; readonly newest: bigint } | null
  /**
   * Numbers below `next` that the account holds aside, each to be used once and in any order (tickets of the XRP Ledger), in the same
   * two states. Absent: this chain has no such. Only where payments expire by height.
   */
  readonly aside?: { readonly final: readonly bigint[]; readonly newest: readonly bigint[] }
  /**
   * Oldest point, in the unit of `until`, from which on the node knows every transaction without a gap (`complete_ledgers` of an XRP
   * Ledger node). Absent: it never forgets any.
   */
  readonly history?: bigint
}

/**
 * How far back transactions are listed: those in blocks above a height, and pending ones; or all from a number on, which may be found
 * among what was sent since the account's own turn came to that number.
 */
export type LaneSince = { readonly height: bigint } | { readonly sequence: bigint }

/** Transactions that the account itself sent, as one node lists them, in any order. */
export interface LaneListing {
  readonly transactions: readonly SentTransaction[]
  /** Why not all could be listed, as a part of a sentence for the operator; absent: they are all there. */
  readonly gap?: string
}

/**
 * Makes a payment of a slot. Null where numbers bind nothing and only now it shows that the payment cannot be made now: its number stays
 * unused.
 */
export type Draft = (slot: SequenceSlot) => DraftedPayment | Promise<DraftedPayment | null>

/** A payment without its signature. */
export interface DraftedPayment {
  /** The chain's own description, amounts as decimal text; it comes back to `sign`. */
  readonly transaction: Json
  /** Most that the network can take for it, native smallest unit. */
  readonly feeCap: bigint
  /** Guards besides the slot, such as `request:` of an allocator's authorisation. */
  readonly guards?: readonly string[]
}

/**
 * The parts of a lane that are a chain's own. `Node` is one node, such as `JsonRpcEndpoint`. Every question throws ServiceError when the node
 * does not answer, or answers in another shape.
 */
export interface SequenceChain<Node> {
  addressOf(signer: Signer): string
  /** The account whose number a payment takes; absent: `payout.from`. */
  accountOf?(payout: Payout): string
  /**
   * Accounts besides the lane's own whose numbers this lane alone takes (a depository with a key of its own): their transactions are read
   * along when the lane opens. One that does not exist yet holds nothing up.
   */
  readonly others?: readonly string[]
  /** One batched round trip where the chain has such. */
  read(node: Node, question: LaneQuestion): Promise<AccountReading>
  /**
   * `since` null: as far back as it takes to find the highest number in use; a chain with strict order is not asked that. Numbers below
   * `least` may be left out.
   */
  list(node: Node, account: string, since: LaneSince | null, least?: bigint): Promise<LaneListing>
  /**
   * Whether a node surely still has the transactions from a point on, in the unit of `until`. Asked only when a verdict depends on it.
   * Absent: `AccountReading.history` tells.
   */
  remembers?(node: Node, point: bigint): Promise<boolean>
  /** Reads how one node sees requests of an allocator (guards `request:`), its final time first. Absent: payments have none. */
  requests?(node: Node): Promise<RequestRules>
  /** Set where a transaction that succeeds has paid, whatever it brought (faults.md F123). */
  readonly paysBySuccess?: true
  /**
   * For each payout what makes a payment of it once it has a slot; null for one that cannot be made now, above its `feeLimit` for
   * example. Payouts of one account that share a transaction have one and the same draft (`payoutsPerTransaction`). Throws ServiceError
   * for one that never can.
   */
  draft(
    payouts: readonly { readonly payout: Payout; readonly gas: bigint | null }[],
  ): Promise<readonly (Draft | null)[]>
  /**
   * The key is that of the lane's account, which the lane checks of its own payments; whose key signs for one of `others` is the chain's
   * matter. `allocator` signs along where `cosigns` says so; `seed` as `LaneAdapter.sign` has it.
   */
  sign(
    transaction: Json,
    signer: Signer,
    allocator?: Signer,
    seed?: Uint8Array,
  ): Promise<Pick<SignedAttempt, 'txId' | 'raw' | 'locator'>>
  /** As `LaneAdapter.broadcast`; `broadcastBatch` does it over JSON-RPC. */
  broadcast(attempts: readonly SignedAttempt[]): Promise<readonly BroadcastResult[]>
}

/**
 * Numbers that bind nothing: two payments with different ones may land in any order (tvm, hederavm, hypevm). There is no replacement,
 * since both would be paid.
 */
export interface FreeOrder {
  readonly kind: 'free'
  /** Where numbers are times (hypevm nonce, hederavm valid start): the least that may be assigned now. */
  readonly least?: () => bigint
  /**
   * Where the number, or a blockhash that the payment names, says until when it can land: called directly before the draft of the slot.
   * Absent: the newest point and the lane's lifetime.
   */
  readonly until?: (sequence: bigint) => bigint
}

/** The account takes one transaction for each number, without gaps (xrpvm Sequence, tonvm seqno, lvm Nonce). */
export interface StrictOrder {
  readonly kind: 'strict'
  /** Most payments of an account that may wait for each other; further ones are not prepared. Absent: any number. Numbers held aside wait for none. */
  readonly mostOpen?: number
  /** The same payment at a higher fee, in the same slot; null when it is dear enough. Absent: the chain has none. */
  readonly replace?: (transaction: Json, options: { readonly version: number }) => Promise<DraftedPayment | null>
  /**
   * A transaction that uses the slot up and pays no account, in place of `instead`, which it may have to outbid: a payment or an earlier
   * cancel; null where the bytes of the transaction in the slot are unknown. Absent: only time ends a payment.
   */
  readonly cancel?: (
    slot: SequenceSlot & { readonly account: string },
    options: { readonly version: number; readonly instead: Json | null },
  ) => Promise<DraftedPayment | null>
}
