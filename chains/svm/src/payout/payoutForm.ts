import type { TransactionInstruction } from '@solana/web3.js'
import type { MintInfo } from '../read/token/mintInfo.js'

/** A payout as instructions, before computation is reserved. */
export interface PayoutForm {
  readonly instructions: readonly TransactionInstruction[]
  /** The instruction that moves the money. */
  readonly transfer: TransactionInstruction
  /** Null for the native currency. */
  readonly mint: MintInfo | null
  /** Where the money leaves and arrives: token accounts, or the accounts themselves for lamports. */
  readonly source: string
  readonly destination: string
  /** Who signs beside the payer, or null. */
  readonly cosigner: string | null
}
