import type { Hex } from '../../money/hex.js'
import { bytesToHex } from '../../order/hexBytes.js'
import { keccak256 } from '../../order/keccak256.js'

/** What an operator orders of a wallet: money out of it, or how much a contract of the deployment may take from it. */
export type WalletAction = 'send' | 'approve'

/** An order of the operator, as it is signed. Nothing that is paid for it comes from anywhere else. */
export interface WalletOrder {
  readonly network: 'mainnet' | 'testnet'
  /** The database it was made for (`readDatabaseId`). */
  readonly database: string
  readonly action: WalletAction
  readonly chainId: number
  /** Account that pays, canonical. */
  readonly wallet: string
  readonly currency: string
  /** Smallest unit; above 0, but an allowance may be taken back by 0. */
  readonly amount: bigint
  /** Whom it pays as `destinationText` writes it, or the contract that may take. */
  readonly recipient: string
  /** Unix seconds after which it is not signed any more. */
  readonly expires: number
  /** 32 hex digits that no other order has. */
  readonly nonce: string
}

/** Longest time for which an order is taken: it bounds what a stolen one is good for. */
export const LONGEST_ORDER_SECONDS = 86_400

const FIRST_LINE = 'Causeway wallet order 1'

/** The canonical text, one line for each field; what `readWalletOrder` does not give back again is no order. */
export const walletOrderText = (order: WalletOrder): string =>
  [
    FIRST_LINE,
    `network: ${order.network}`,
    `database: ${order.database}`,
    `action: ${order.action}`,
    `chain: ${order.chainId}`,
    `wallet: ${order.wallet}`,
    `currency: ${order.currency}`,
    `amount: ${order.amount}`,
    `recipient: ${order.recipient}`,
    `expires: ${order.expires}`,
    `nonce: ${order.nonce}`,
  ].join('\n')

const FORM = new RegExp(
  `^${FIRST_LINE}\\nnetwork: (mainnet|testnet)\\ndatabase: ([0-9a-f-]{36})\\naction: (send|approve)\\nchain: ([1-9][0-9]{0,15})` +
    '\\nwallet: (\\S+)\\ncurrency: (\\S+)\\namount: (0|[1-9][0-9]{0,77})\\nrecipient: (\\S+)\\nexpires: ([1-9][0-9]{0,11})' +
    '\\nnonce: ([0-9a-f]{32})$',
)

/** Reads the canonical text; null for any other. */
export const readWalletOrder = (text: string): WalletOrder | null => {
  const found = FORM.exec(text)
  if (found === null) return null
  const [, network, database, action, chain, wallet, currency, amount, recipient, expires, nonce] = found
  const order: WalletOrder = {
    network: network === 'mainnet' ? 'mainnet' : 'testnet',
    database: database ?? '',
    action: action === 'approve' ? 'approve' : 'send',
    chainId: Number(chain),
    wallet: wallet ?? '',
    currency: currency ?? '',
    amount: BigInt(amount ?? '0'),
    recipient: recipient ?? '',
    expires: Number(expires),
    nonce: nonce ?? '',
  }
  return walletOrderText(order) === text ? order : null
}

/** Keccak-256 of the text: the id that its payment carries on the chain, so that it is found there after a restore. */
export const walletOrderId = (text: string): Hex => bytesToHex(keccak256(new TextEncoder().encode(text)))
