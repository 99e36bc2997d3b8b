import type { Hex } from '../../money/hex.js'
import { bytesToHex } from '../../order/hexBytes.js'
import { keccak256 } from '../../order/keccak256.js'

/** What a wallet claims of its balance, and how it is to be paid (wire.md 4.12). */
export interface ClaimTerms {
  /** In lower case. */
  readonly wallet: string
  /** The balance that it is taken of, and how much of it, smallest unit. */
  readonly balance: { readonly chainId: number; readonly currency: string; readonly amount: bigint }
  /** What is paid: `recipient` as `destinationText` writes it. Less than `minimum`, smallest unit, is never paid. */
  readonly chainId: number
  readonly currency: string
  readonly recipient: string
  readonly minimum: bigint
}

const WALLET_BYTES = 20

/**
 * The 32 bytes that the wallet signs and that the payment carries on its chain: the first 12 of the hash of all that the claim binds, and
 * the wallet. So the signature is good for just that, and a database that forgot the claim still knows from the chain whose it was.
 */
export const claimIdOf = (
  { wallet, balance, chainId, currency, recipient, minimum }: ClaimTerms,
  { deployment, nonce }: { readonly deployment: string; readonly nonce: string },
): Hex => {
  const bound = ['Causeway claim 1', deployment, nonce, wallet, balance.chainId, balance.currency, balance.amount]
  const text = [...bound, chainId, currency, recipient, minimum].join('\n')
  const hash = bytesToHex(keccak256(new TextEncoder().encode(text)))
  // CAST: hex on both sides.
  return `${hash.slice(0, 2 + 2 * (32 - WALLET_BYTES))}${wallet.slice(2)}` as Hex
}

/** The wallet of a claim, in lower case. */
export const walletOfClaim = (id: Hex): string => `0x${id.slice(-2 * WALLET_BYTES).toLowerCase()}`

/** The same in SQL, of an id given as bytes. */
export const walletOfClaimSql = (id: string): string => `'0x' || encode(substring(${id} from 13), 'hex')`
