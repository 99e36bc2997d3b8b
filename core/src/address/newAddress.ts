import type { DerivedAddress } from '../chain/address/depositAddresses.js'
import { destinationText } from '../chain/destination.js'
import { toBytea } from '../database/hexBytea.js'
import type { Hex } from '../money/hex.js'
import type { QuotePart } from '../quote/quoteExtension.js'
import { holderKey } from '../quote/quoteHolder.js'

/** `open`: any number of payments on one route, each for itself. `strict`: one order, paid once (wire.md E.2). */
export type DepositAddressType = 'open' | 'strict'

/** An address about to be told to a user. */
export interface NewDepositAddress extends DerivedAddress {
  readonly chainId: number
  readonly type: DepositAddressType
  readonly orderId: Hex
  /** Of the quote that gave it. */
  readonly requestId: Hex
  /** Whom its sweeps credit. */
  readonly depositor: string
  /** Canonical currency of the quote. */
  readonly currency: string
  /** As it was asked for; null: not at all. */
  readonly refundTo: string | null
  readonly recoveryAddress: string | null
  /** Unix seconds until which its order stands: so long blocks are searched for it. */
  readonly liveUntil: number
  /** Caller that its looks are counted for (`holderOf`); null or absent: a trusted caller. */
  readonly holder?: string | null
}

/** First look at the balance of an address in which no block showed a payment. */
export const FIRST_LOOK_MS = 60_000

const GIVEN = {
  name: 'address_given',
  text: `insert into deposit_addresses (chain_id, address, account, type, order_id, request_id, depositor, derivation, currency, refund_to,
      recovery_address, created_at, live_until, holder)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0), to_timestamp($13), $14 from stored
    returning id, chain_id, account, holder`,
}

const PLACED = {
  name: 'address_placed',
  text: `insert into deposit_address_places (address_id, chain_id, account, next_look_at, favoured)
    select id, chain_id, account, to_timestamp($1 / 1000.0), holder is null from address_given`,
}

/** Writes an address with its quote. It fails where the address was given before (faults.md F18). */
export const addressParts = (address: NewDepositAddress, now: number): readonly QuotePart[] => [
  { ...GIVEN, values: givenValues(address, now) },
  { ...PLACED, values: [now + FIRST_LOOK_MS] },
]

const givenValues = (address: NewDepositAddress, now: number) => [
  address.chainId,
  destinationText(address.destination),
  address.destination.address,
  address.type,
  toBytea(address.orderId),
  toBytea(address.requestId),
  address.depositor,
  JSON.stringify(address.derivation),
  address.currency,
  address.refundTo,
  address.recoveryAddress,
  now,
  address.liveUntil,
  address.holder == null ? null : holderKey(address.holder),
]
