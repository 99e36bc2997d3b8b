import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import type { AccountReader } from './accountReader.js'
import type { MintInfo } from './mintInfo.js'
import { transferChecked } from './program/tokenInstructions.js'
import { transferWithHook } from './program/transferHook.js'
import { associatedTokenAddress } from './tokenAccounts.js'

export interface TokenTransfer {
  readonly mint: MintInfo
  /** Wallets, not token accounts: both hold the token in their associated accounts. */
  readonly from: string
  readonly to: string
  readonly amount: bigint
}

/**
 * Moves tokens between the associated accounts of two owners, `from` signing. Mints with a transfer hook need the accounts
 * that their hook asks for, which are read from the chain.
 */
export const transferTokens = async (
  { mint, from, to, amount }: TokenTransfer,
  accounts: AccountReader,
): Promise<TransactionInstruction> => {
  const source = new PublicKey(associatedTokenAddress(from, mint))
  const destination = new PublicKey(associatedTokenAddress(to, mint))
  const [address, owner, program] = [new PublicKey(mint.address), new PublicKey(from), new PublicKey(mint.programId)]
  const transfer = { source, mint: address, destination, owner, amount, decimals: mint.decimals, program }
  if (mint.hookProgram === null) return transferChecked(transfer)
  return transferWithHook(transfer, new PublicKey(mint.hookProgram), accounts)
}
