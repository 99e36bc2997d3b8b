import type { Json } from '@causeway/core'
import { type Outpoint, outpointText, readOutpoint } from '../payout/coins/coin.js'

/** What a transaction paid to one address: `position` counts its outputs to it from 0. */
export interface Received {
  readonly to: string
  readonly position: number
  /** Satoshis. */
  readonly amount: bigint
}

/** A transaction that was told and waits in the mempool, or whose outputs cannot be spent yet. */
export interface WaitingArrival {
  readonly txId: string
  readonly received: readonly Received[]
  readonly sender: string | null
  readonly spent: readonly Outpoint[]
  /** Tip when it was seen, or the height of its block. */
  readonly since: bigint
  /** Height from which on it counts; null for one that waits in the mempool. */
  readonly spendableAt: bigint | null
}

/** As the host stores them; numbers are decimal text. */
export const encodeWaiting = (waiting: ReadonlyMap<string, WaitingArrival>): Json =>
  [...waiting.values()].map(({ txId, received, sender, spent, since, spendableAt }) => ({
    txId,
    received: received.map(({ to, position, amount }) => ({ to, position, amount: `${amount}` })),
    sender,
    spent: spent.map(outpointText),
    since: `${since}`,
    spendableAt: spendableAt === null ? null : `${spendableAt}`,
  }))

/** What `encodeWaiting` wrote. */
export interface StoredArrival {
  readonly txId: string
  readonly received: readonly (Omit<Received, 'amount'> & { readonly amount: string })[]
  readonly sender: string | null
  readonly spent: readonly string[]
  readonly since: string
  readonly spendableAt: string | null
}

/** Reads what `encodeWaiting` wrote; throws when it did not. */
export const decodeWaiting = (stored: readonly StoredArrival[]): ReadonlyMap<string, WaitingArrival> =>
  new Map(
    stored.map(({ received, spent, since, spendableAt, ...rest }) => [
      rest.txId,
      {
        ...rest,
        received: received.map(({ amount, ...item }) => ({ ...item, amount: BigInt(amount) })),
        spent: spent.map(readOutpoint),
        since: BigInt(since),
        spendableAt: spendableAt === null ? null : BigInt(spendableAt),
      },
    ]),
  )
