import type { Hex } from '../../money/hex.js'
import type { BlockRef, ChainMoney, Destination, FeeQuote, StepItemDraft, TxRef } from '../chainReferences.js'
import type { Json } from '../json.js'
import type { DirectRequest } from '../swaps.js'

/** How an address to pay to comes about (chains.md, row 8 of each VM). */
export type DepositAddressForm = 'contract' | 'hd-key' | 'tag' | 'memo'

/**
 * What an address is made of, and what its sweeps carry into the depository: the order id, which holds 256 random bits (faults.md F18), and
 * the account that the deposit is credited to.
 */
export interface DepositAddressTerms {
  readonly orderId: Hex
  readonly depositor: string
}

/** An address and what a sweep needs besides to take what lies there; no secret. */
export interface DerivedAddress {
  readonly destination: Destination
  readonly derivation: Json
}

/** An address of a pool, with the word of the role that holds the seed. */
export interface PooledAddress extends DerivedAddress {
  readonly signature: Hex
}

/** Addresses that only the holder of the seed can derive: made ahead, and given out one by one. */
export interface AddressPool {
  /** `salt`: 32 random bytes. `seed` is the secret of `keys.hd`. */
  make(seed: Uint8Array, salt: Hex): PooledAddress
  /** What the configuration of those who only give them out names, so that `isGenuine` can tell; from the seed. */
  publicKey(seed: Uint8Array): string
  /** Whether the holder of the configured public key signed it. Nothing else is ever told to a user. */
  isGenuine(address: PooledAddress): boolean
}

/** An address in use, as adapters are asked about it. */
export interface DepositAddress extends DepositAddressTerms, DerivedAddress {}

/**
 * What a chain is read for beside deposits, in memory, so that reading a block costs the same however many addresses and quotes there are.
 * A user learns of an address or a quote once it is stored, so a `refresh` knows every one that a block may pay or name which existed before
 * it. Blocks are therefore told only after a `refresh` that followed them, and are read whole where that says that something is live.
 */
export interface Live {
  /** Takes up what was given since. */
  refresh(): Promise<void>
  /** Whether money may come to an address: by the address alone, without tag or memo. */
  has(address: string): boolean
  /** How many addresses are live. */
  readonly size: number
  /** Those that `has` knows, for a chain whose nodes list transfers of one account at a time. */
  accounts?(): Iterable<string>
  /** Whether a quote of one of these kinds is live, which its user carries out alone. */
  awaits(kinds: readonly DirectRequest['kind'][]): boolean
}

/** For whoever reads deposits alone. */
export const NOTHING_LIVE: Live = { refresh: async () => undefined, has: () => false, size: 0, awaits: () => false }

/**
 * Money that came to an address. (chain, `tx.id`, `to`, currency, `position`) identifies it for ever: `position` counts the payments of one
 * transaction to one address in one currency from 0.
 */
export interface Arrival {
  /** `seen`: in the mempool, where the chain shows it. `dropped`: it was, and can never come. */
  readonly state: 'seen' | 'included' | 'dropped'
  readonly tx: TxRef
  readonly position: number
  readonly to: Destination
  readonly money: ChainMoney
  /** Whose money it surely was, as `destinationText` writes it; null where the chain does not show one account. */
  readonly sender: string | null
  readonly block: BlockRef | null
}

/** What a sweep takes: a part of a payout with the purpose `sweep`, whose `to` is the depository. */
export interface SweepSource {
  readonly address: DepositAddress
  /**
   * Canonical currencies that are taken along, that of the payout's `money` among them: all that lies there of each, or of that one alone
   * where `sweepsOneCurrency` says so.
   */
  readonly currencies: readonly string[]
  /**
   * Height of the newest block in which a sweep of the address landed before; absent: none did. A node that has not come so far does not
   * know what lies there.
   */
  readonly after?: bigint
}

/**
 * Addresses that users pay to by a plain transfer, and whose money is swept into the depository under the order id that they are made of. A
 * sweep is a payout: `simulate`, `prepare`, `sign` and what follows take it as they take any. The lane's account pays its fee, so that all that
 * arrived is deposited; the sweep takes whatever lies there when it runs.
 */
export interface DepositAddresses {
  readonly forms: readonly DepositAddressForm[]
  /**
   * Whether a sweep is signed by a key that the seed gives, so that whoever sweeps needs the seed; absent: the lane's own key is
   * enough.
   */
  readonly isSweptByKey?: boolean
  /** Whether a sweep takes the currency of its `money` alone, since a transaction moves only one; absent: all that it names. */
  readonly sweepsOneCurrency?: boolean
  /** Set where an address has no account before its user pays, so that `recipientStatus` refuses payments of the service to it. */
  readonly opensByPayment?: true
  /**
   * From public material alone; the same terms and turn always give the same. Absent where `pool` is. `turn` (0 where it is left out) is
   * below `turns`.
   */
  derive?(terms: DepositAddressTerms, turn?: number): DerivedAddress
  /**
   * How many addresses the same terms have, where one is so short that another order may have it already: the first that nobody has is
   * given (faults.md F18). Absent: 1.
   */
  readonly turns?: number
  /** How `derive` writes the address that a destination names, where the two may differ: an account and a tag may be one text. Absent: they never do. */
  spell?(named: Destination): Destination
  readonly pool?: AddressPool
  /** The plain transfer by which the quote's own user may pay (wire.md E.1): what a wallet without knowledge of this service sends. */
  buildPayment(request: {
    readonly from: string
    readonly to: Destination
    readonly money: ChainMoney
    readonly userPublicKey?: string
  }): Promise<readonly StepItemDraft[]>
  /**
   * What lies at addresses now, in blocks, of each of the currencies, in the order given; amounts of 0 left out. Batched: so many round trips
   * however many addresses.
   */
  holdings(
    addresses: readonly DepositAddress[],
    currencies: readonly string[],
  ): Promise<readonly (readonly ChainMoney[])[]>
  /** What the network takes of the lane for one sweep of a currency, native smallest unit. */
  sweepFee(currency: string): Promise<FeeQuote>
}
