import type { Hex, Json } from '@causeway/core'
import { cursorForm, storedMap, storedNumber } from '@causeway/core/chain-kit'
import { Type } from '@sinclair/typebox'
import { storedOutpoint, storedWaiting, type WaitingArrival } from '../../depositAddress/waitingArrivals.js'
import type { Outpoint } from '../../payout/coins/coin.js'

/** A block of the best chain that was read. */
export interface ReadBlock {
  readonly height: bigint
  readonly hash: string
}

/** A deposit that was told and is not in a block yet, or one that cannot be spent yet. */
export interface Candidate {
  readonly txId: string
  /** As `ReadDeposit.position`. */
  readonly position: number
  readonly orderId: Hex | null
  readonly amount: bigint
  readonly depositor: string | null
  readonly index: number
  readonly spent: readonly Outpoint[]
  /** Tip when it was first seen. */
  readonly since: bigint
  /** Height from which on it counts; null for one that waits in the mempool. */
  readonly spendableAt: bigint | null
}

/** How far a watcher has read. */
export interface Cursor {
  /** Blocks that were read, the newest last: as many as a reorganization may take, for finding where it began. */
  readonly blocks: readonly ReadBlock[]
  /** By `candidateKey`. */
  readonly candidates: ReadonlyMap<string, Candidate>
  /** Payments to addresses that are in no block yet, or cannot be spent yet, by transaction. */
  readonly waiting: ReadonlyMap<string, WaitingArrival>
}

/** The first deposit of a transaction has the transaction's id. */
export const candidateKey = ({ txId, position }: Pick<Candidate, 'txId' | 'position'>): string =>
  position === 0 ? txId : `${txId} ${position}`

/** Blocks that are remembered. */
export const MAX_BLOCKS = 144

const FORM = cursorForm<Omit<Cursor, 'waiting'> & Partial<Pick<Cursor, 'waiting'>>>(
  Type.Object({
    blocks: Type.Array(
      Type.Transform(Type.Tuple([storedNumber, Type.String()]))
        .Decode(([height, hash]): ReadBlock => ({ height, hash }))
        .Encode(({ height, hash }) => [height, hash]),
    ),
    candidates: storedMap(
      Type.Transform(
        Type.Object({
          txId: Type.String(),
          // Absent in cursors of versions that knew one deposit of a transaction.
          position: Type.Optional(Type.Integer()),
          orderId: Type.Union([Type.String(), Type.Null()]),
          amount: storedNumber,
          depositor: Type.Union([Type.String(), Type.Null()]),
          index: Type.Integer(),
          spent: Type.Array(storedOutpoint),
          since: storedNumber,
          spendableAt: Type.Union([storedNumber, Type.Null()]),
        }),
      )
        .Decode(({ position = 0, ...rest }) => ({ position, ...rest }))
        .Encode((candidate) => candidate),
      (candidate: Candidate) => candidateKey(candidate),
    ),
    waiting: Type.Optional(storedWaiting),
  }),
)

/** Cursor as the host stores it. */
export const encodeCursor = (cursor: Cursor): Json => FORM.encode(cursor)

/** Throws when the stored value was not written by `encodeCursor`. */
export const decodeCursor = (stored: Json): Cursor => {
  const { waiting = new Map(), ...cursor } = FORM.decode(stored)
  return { ...cursor, waiting }
}
