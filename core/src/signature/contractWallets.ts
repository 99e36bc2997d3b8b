import type { Hex } from '../money/hex.js'

/** Longest signature that is looked at, in bytes: many owners of a contract wallet, or one that first has to be deployed. */
export const MAX_SIGNATURE_BYTES = 8192

/** Whether the contract at an address takes a signature for its own. */
export interface WalletQuestion {
  /** As `validateAddress` spells it. */
  readonly wallet: string
  /** 32 bytes. */
  readonly digest: Hex
  /** At most `MAX_SIGNATURE_BYTES`; in lower case. */
  readonly signature: Hex
}

/** `absent`: no contract is at the address, and the signature brings none there. */
export type WalletAnswer = 'valid' | 'invalid' | 'absent'

/** Wallets that are contracts, on one chain: they alone know what signature is theirs (EIP-1271, ERC-6492). */
export interface ContractWallets {
  /**
   * What `agreeing` trusted providers answer alike; with 1, whichever was asked. Sends nothing, and nothing is remembered: the next
   * question is asked anew (faults.md F82). The wallet is a stranger's program: whatever it does (reverts, burns, answers
   * with megabytes) is `invalid`, costs a bounded amount of work and memory, and is held against no node.
   * @throws ServiceError when too few nodes answer, or differ
   */
  verify(question: WalletQuestion, options: { readonly agreeing: number }): Promise<WalletAnswer>
}
