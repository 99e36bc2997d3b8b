import { createCloseAccountInstruction, createHarvestWithheldTokensToMintInstruction } from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import type { AccountReader } from '../token/accountReader.js'
import type { MintInfo } from '../token/mintInfo.js'
import { associatedTokenAddress, createTokenAccount } from '../token/tokenAccounts.js'
import { transferTokens } from '../token/tokenTransfer.js'

export interface Sweep {
  /** The derived address; signs. */
  readonly child: string
  /** Pays the fee and signs first; gets the rent of the closed token account. */
  readonly payer: string
  readonly to: string
  /** Null for lamports. */
  readonly mint: MintInfo | null
  /** All that the child holds: lamports left below the rent would make the transaction fail. */
  readonly amount: bigint
}

/**
 * Moves everything from a derived address to the depository. The child pays nothing; its token account is closed, after what a
 * fee of the token withheld there went to the mint, since an account that holds any cannot be closed.
 */
export const sweepInstructions = async (sweep: Sweep, accounts: AccountReader): Promise<TransactionInstruction[]> => {
  const { child, payer, to, mint, amount } = sweep
  if (mint === null) {
    const [fromPubkey, toPubkey] = [new PublicKey(child), new PublicKey(to)]
    return [SystemProgram.transfer({ fromPubkey, toPubkey, lamports: amount })]
  }
  const held = new PublicKey(associatedTokenAddress(child, mint))
  const program = new PublicKey(mint.programId)
  const transfer = await transferTokens({ mint, from: child, to, amount }, accounts)
  const harvest =
    mint.transferFee === null
      ? []
      : [createHarvestWithheldTokensToMintInstruction(new PublicKey(mint.address), [held], program)]
  const close = createCloseAccountInstruction(held, new PublicKey(payer), new PublicKey(child), [], program)
  return [createTokenAccount(payer, to, mint), transfer, ...harvest, close]
}
