import type { BroadcastResult } from '../../chain/laneAdapter.js'

/** Why a node refuses a transaction, as lanes know it. */
export type Rejection = Extract<BroadcastResult, { outcome: 'rejected' }>['reason']

const TEXTS: Readonly<Record<Rejection, string>> = {
  'nonce-too-low': 'The number of this payment is used up.',
  underpriced: 'The network takes more for a transaction now.',
  'insufficient-funds': 'The account cannot pay the fee.',
  invalid: 'The network refuses the transaction.',
}

/** The result of a broadcast that a node refused. @param code - of the node itself */
export const rejectedAs = (reason: Rejection, code: string): BroadcastResult => ({
  ...{ outcome: 'rejected', reason },
  message: `${TEXTS[reason]} (${code})`,
})
