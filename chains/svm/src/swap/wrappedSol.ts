import { createCloseAccountInstruction, createSyncNativeInstruction, NATIVE_MINT } from '@solana/spl-token'
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { associatedTokenAddress, createTokenAccount } from '../token/tokenAccounts.js'

/** Lamports as tokens, for what moves only tokens. A currency of its own (chains.md svm 1). */
export const WRAPPED_SOL = {
  address: NATIVE_MINT.toBase58(),
  programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
} as const

/** The mint that swaps use for a currency. */
export const mintOf = (currency: string): string => (currency === NATIVE ? WRAPPED_SOL.address : currency)

export const wrappedAccountOf = (owner: string): string => associatedTokenAddress(owner, WRAPPED_SOL)

/** Puts lamports of `from` into the wrapped account of `owner`, whose rent `payer` pays where it is missing. */
export const wrapSol = (
  { payer, from, owner }: { readonly payer: string; readonly from: string; readonly owner: string },
  lamports: bigint,
): TransactionInstruction[] => {
  const account = new PublicKey(wrappedAccountOf(owner))
  return [
    createTokenAccount(payer, owner, WRAPPED_SOL),
    SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: account, lamports }),
    createSyncNativeInstruction(account),
  ]
}

/** Closes the wrapped account of `owner`; everything in it, rent too, goes to `to` as lamports. */
export const unwrapSol = (owner: string, to: string): TransactionInstruction =>
  createCloseAccountInstruction(new PublicKey(wrappedAccountOf(owner)), new PublicKey(to), new PublicKey(owner))
