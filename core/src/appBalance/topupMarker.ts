import type { Hex } from '../money/hex.js'

/** Before and behind the wallet in the order id of a deposit that is to become its balance (wire.md 4.12). */
const MARKER = '012345abcdef'

/** The order id of a deposit that becomes the balance of a wallet, an EVM address. */
export const topupOrderId = (wallet: string): Hex => `0x${MARKER}${wallet.slice(2).toLowerCase()}${MARKER}`

/** Whether an order id, given as bytes in SQL, is one of those. */
export const isTopupSql = (orderId: string): string =>
  `(substring(${orderId} for 6) = '\\x${MARKER}' and substring(${orderId} from 27) = '\\x${MARKER}')`

/** The wallet in such an order id, given as bytes in SQL. */
export const topupWalletSql = (orderId: string): string => `'0x' || encode(substring(${orderId} from 7 for 20), 'hex')`
