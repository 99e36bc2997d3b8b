import { createTransferCheckedInstruction, createTransferCheckedWithTransferHookInstruction } from '@solana/spl-token'
import { type Connection, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import type { AccountReader } from './accountReader.js'
import type { MintInfo } from './mintInfo.js'
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
  if (mint.hookProgram === null) {
    return createTransferCheckedInstruction(source, address, destination, owner, amount, mint.decimals, [], program)
  }
  return createTransferCheckedWithTransferHookInstruction(
    // CAST: of a connection the hook's accounts are read with `getAccountInfo` and nothing else.
    accounts as unknown as Connection,
    source,
    address,
    destination,
    owner,
    amount,
    mint.decimals,
    [],
    'confirmed',
    program,
  )
}
