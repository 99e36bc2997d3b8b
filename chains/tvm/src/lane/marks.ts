import type { Hex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { paymentMemo } from '@causeway/core/chain-kit'

const ID_DIGITS = 64
const MARK = /^((?:[0-9a-f]{2})*)([0-9a-f]{64})$/
const PURPOSE = /^[a-z]{1,16}$/

const hexText = (text: string): string => Buffer.from(text).toString('hex')

/** The order that a payment names, and what it is for. */
export interface Mark {
  /** As `paymentMemo` writes it. */
  readonly memo: string
  /** Id of the sweep that a payment to a deposit address pays for. */
  readonly sweepId: string | null
}

/**
 * Bytes that name the order of a payment: in the memo of a TRX transfer, or behind the calldata of a call. They end with the order id, as a
 * verifier reads it (chains.md tvm 5); before it stands the purpose, except for a fill.
 */
export const markOf = ({ purpose, orderId }: Pick<Payout, 'purpose' | 'orderId'>): string =>
  (purpose === 'fill' ? '' : hexText(purpose)) + orderId.slice(2).toLowerCase()

/** The mark of TRX that pays for a sweep. */
export const fundingMark = (orderId: Hex, sweepId: string): string =>
  hexText('sweep') + sweepId + orderId.slice(2).toLowerCase()

/** Null for other bytes. */
export const readMark = (hex: string): Mark | null => {
  const [, head = '', id] = MARK.exec(hex) ?? []
  if (id === undefined) return null
  const hasSweep = head.length > ID_DIGITS && head.startsWith(hexText('sweep'))
  const sweepId = hasSweep ? head.slice(-ID_DIGITS) : null
  const purpose = Buffer.from(hasSweep ? head.slice(0, -ID_DIGITS) : head, 'hex').toString('utf8')
  if (purpose !== '' && !PURPOSE.test(purpose)) return null
  // CAST: `paymentMemo` writes any purpose, and its reader knows those that there are.
  const named = { orderId: `0x${id}` as Hex, purpose: (purpose === '' ? 'fill' : purpose) as Payout['purpose'] }
  return { memo: paymentMemo(named), sweepId }
}
