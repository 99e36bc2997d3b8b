import { type AddressLookupTableAccount, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { MAX_TRANSACTION_BYTES, measureTransaction } from '../deposit/measure.js'

/** Bytes by which a payout is too large for one transaction; 0 when it fits. Hooks of a token can ask for many accounts. */
export const excessBytes = (
  instructions: readonly TransactionInstruction[],
  payer: string,
  tables: readonly AddressLookupTableAccount[] = [],
): number => Math.max(0, measureTransaction(instructions, new PublicKey(payer), tables) - MAX_TRANSACTION_BYTES)
