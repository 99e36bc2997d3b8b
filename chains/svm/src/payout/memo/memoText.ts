import type { Hex } from '@causeway/core'
import type { PayoutPurpose } from '@causeway/core/chain'

/** What the memo of one of the solver's transactions says. */
export interface PayoutMemo {
  readonly orderId: Hex
  readonly purpose: PayoutPurpose
  /** Number of the transaction in its lane. */
  readonly sequence: number
  /** Who is credited with what a sweep brings, where no argument of a program says so. */
  readonly depositor?: string
}

/** Who is credited stands as in deposits of chains without contracts (chains.md, What commits a deposit 3). */
const PAYOUT =
  /^(0x[0-9a-f]{64})(?: (refund|excess|sweep|withdraw|claim|send))? #(0|[1-9][0-9]{0,15})(?:\|depositor=([1-9A-HJ-NP-Za-km-z]{32,44})\|)?$/

/** No digit may follow, or the text is a longer number and no order id; the next id may. */
const ORDER_ID = /0x[0-9a-f]{64}(?:(?=0x)|(?![0-9a-fA-F]))/g

/** The memo of a deposit: the order id and nothing else, lower case because readers compare it as written (chains.md, What commits a deposit 2). */
export const depositMemo = (orderId: Hex): string => orderId.toLowerCase()

/**
 * The memo of a transaction of the solver: the order id, the purpose unless it is a fill, and the lane's sequence number,
 * which makes equal payments differ and is the lane's journal on the chain.
 */
export const payoutMemo = ({ orderId, purpose, sequence, depositor }: PayoutMemo): string =>
  `${orderId.toLowerCase()}${purpose === 'fill' ? '' : ` ${purpose}`} #${sequence}${depositor === undefined ? '' : `|depositor=${depositor}|`}`

/** Reverse of `payoutMemo`; null for any other text. */
export const readPayoutMemo = (text: string): PayoutMemo | null => {
  const [, orderId, purpose, digits, depositor] = text.match(PAYOUT) ?? []
  const sequence = Number(digits)
  if (orderId === undefined || !Number.isSafeInteger(sequence)) return null
  // CAST: the pattern admits nothing else.
  const said = { orderId: orderId as Hex, purpose: (purpose ?? 'fill') as PayoutPurpose, sequence }
  return depositor === undefined ? said : { ...said, depositor }
}

/** Distinct order ids anywhere in a text, as written: upper case is none (chains.md svm 5). */
export const readOrderIds = (text: string): Hex[] => [...new Set(text.match(ORDER_ID) ?? [])] as Hex[]
