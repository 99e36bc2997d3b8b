import { token } from '../container/tokens.js'
import type { Hex } from '../money/hex.js'

/** A signature that is said to be of a wallet. */
export interface SignatureClaim {
  /** `0x` and 40 hex digits, in any case. */
  readonly wallet: string
  /** 32 bytes: `personalDigest` of a text or of bytes (EIP-191), or the hash of typed data (EIP-712). */
  readonly digest: Hex
  /** As a stranger sent it. */
  readonly signature: string
  /**
   * Chains whose contract at the wallet's address may vouch for it, asked in this order. None unless told: an account's key alone
   * then. The same address may be another owner's contract on another chain, so name those alone where it counts. As many providers of
   * a chain must agree as its largest amount asks for (faults.md invariant 3): a signature grants more than one amount shows.
   */
  readonly chainIds?: readonly number[]
  /** Called before a chain is asked, which costs a call to a node; throws where no more may be asked. */
  beforeAsking?(chainId: number): void
}

/**
 * `account`: by the key of the address itself, which no node was asked about. `contract`: by the contract at the address on that
 * chain, as so many providers say; it may say yes to everything, so that it vouches for itself and nothing else.
 */
export type SignatureVerdict =
  | { readonly kind: 'account' }
  | { readonly kind: 'contract'; readonly chainId: number; readonly agreeing: number }
  /** `reason`: a sentence for a stranger, without its full stop. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Whether signatures are of wallets: the one place that knows. */
export interface WalletSignatures {
  /**
   * Asks no node about the signature of an account's key. Never remembered: the next claim is judged anew (faults.md F82). The bytes of a
   * signature are no identity: a contract may take several for the same digest.
   * @throws ServiceError when a chain that may vouch cannot be asked, and no other does; what `beforeAsking` throws
   */
  verify(claim: SignatureClaim): Promise<SignatureVerdict>
}

export const WALLET_SIGNATURES = token<WalletSignatures>('core/WalletSignatures')
