import type { Hex } from '../money/hex.js'

/** `0x012345abcdef`, the wallet's address or zeros, and `012345abcdef` once more. */
const MARKER = /^0x012345abcdef([0-9a-f]{40})012345abcdef$/
const SENDER = '0'.repeat(40)
const WALLET = /^0x[0-9a-f]{40}$/

/**
 * The order id by which a deposit becomes balance of a wallet (wire.md 4.12): 32 bytes, so it goes wherever an order id goes. `wallet` in
 * lower case; null names the sender.
 */
export const balanceMarker = (wallet: string | null): Hex =>
  `0x012345abcdef${wallet?.toLowerCase().slice(2) ?? SENDER}012345abcdef`

/** Whether an order id is such a marker. */
export const isBalanceMarker = (orderId: string): boolean => MARKER.test(orderId)

/** The wallet that a marker names; of zeros the depositor, where that is a wallet. Null: nobody's balance. */
export const walletOfMarker = (orderId: Hex, depositor: string): string | null => {
  const named = MARKER.exec(orderId)?.[1]
  if (named === undefined) return null
  if (named !== SENDER) return `0x${named}`
  const sender = depositor.toLowerCase()
  return WALLET.test(sender) ? sender : null
}
