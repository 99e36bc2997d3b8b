import type { Hex } from '../money/hex.js'

/** Where a fast fill stands (`fastFillsSql.ts`). */
export type FastFillState = 'queued' | 'filling' | 'paid' | 'settled' | 'debited' | 'ended'

/** What a fast fill sets aside, in the currency of balances, smallest unit: what its deposit is worth, and a margin. */
export interface FastFillCover {
  readonly chainId: number
  readonly currency: string
  readonly worth: bigint
  readonly collateral: bigint
}

/** A fast fill that is stored, as those need it who work on it. */
export interface FastFill {
  readonly requestId: Hex
  readonly orderId: Hex
  readonly wallet: string
  readonly origin: { readonly chainId: number; readonly currency: string }
  readonly destinationChainId: number
  /** What the deposit is taken to bring, origin currency. */
  readonly amount: bigint
  readonly cover: FastFillCover
  readonly state: FastFillState
  readonly payoutId: string | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly deadline: number
  readonly attempts: number
}

export interface FastFillRow {
  request_id: string
  order_id: string
  wallet: string
  origin_chain_id: string
  origin_currency: string
  destination_chain_id: string
  amount: string
  balance_chain_id: string
  balance_currency: string
  worth: string
  collateral: string
  state: FastFillState
  payout_id: string | null
  created_at: Date
  deadline: Date
  attempts: number
}

/** The columns of `fast_fills f` that `toFastFill` reads. */
export const FAST_FILL_COLUMNS = `encode(f.request_id, 'hex') as request_id, encode(f.order_id, 'hex') as order_id, f.wallet,
  f.origin_chain_id::text as origin_chain_id, f.origin_currency, f.destination_chain_id::text as destination_chain_id, f.amount::text as amount,
  f.balance_chain_id::text as balance_chain_id, f.balance_currency, f.worth::text as worth, f.collateral::text as collateral, f.state,
  f.payout_id::text as payout_id, f.created_at, f.deadline, f.attempts`

export const toFastFill = (row: FastFillRow): FastFill => ({
  requestId: `0x${row.request_id}`,
  orderId: `0x${row.order_id}`,
  wallet: row.wallet,
  origin: { chainId: Number(row.origin_chain_id), currency: row.origin_currency },
  destinationChainId: Number(row.destination_chain_id),
  amount: BigInt(row.amount),
  cover: {
    chainId: Number(row.balance_chain_id),
    currency: row.balance_currency,
    worth: BigInt(row.worth),
    collateral: BigInt(row.collateral),
  },
  state: row.state,
  payoutId: row.payout_id,
  createdAt: row.created_at.getTime(),
  deadline: row.deadline.getTime(),
  attempts: row.attempts,
})

/** What the books of a fast fill are posted by. */
export const coveredBy = ({ requestId, wallet, cover }: FastFill) => ({
  requestId,
  wallet,
  collateral: { chainId: cover.chainId, currency: cover.currency, amount: cover.collateral },
})
