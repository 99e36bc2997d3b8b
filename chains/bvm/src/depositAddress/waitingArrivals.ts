import { storedMap, storedNumber } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { type Outpoint, outpointText, readOutpoint } from '../payout/coins/coin.js'

/** An output of a transaction to one address; `position` counts its outputs to that address from 0. */
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

/** An outpoint in a stored cursor. */
export const storedOutpoint = Type.Transform(Type.String())
  .Decode((text) => readOutpoint(text))
  .Encode((outpoint) => outpointText(outpoint))

/** Waiting arrivals in a stored cursor. */
export const storedWaiting = storedMap(
  Type.Object({
    txId: Type.String(),
    received: Type.Array(Type.Object({ to: Type.String(), position: Type.Integer(), amount: storedNumber })),
    sender: Type.Union([Type.String(), Type.Null()]),
    spent: Type.Array(storedOutpoint),
    since: storedNumber,
    spendableAt: Type.Union([storedNumber, Type.Null()]),
  }),
  ({ txId }: WaitingArrival) => txId,
)
