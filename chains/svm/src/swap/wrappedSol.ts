import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { NATIVE } from '../address/addresses.js'
import { closeAccount, syncNative } from '../read/token/program/tokenInstructions.js'
import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '../read/token/program/tokenPrograms.js'
import { associatedTokenAddress, createTokenAccount } from '../read/token/tokenAccounts.js'

/** Lamports as tokens, for what moves only tokens. A currency of its own (chains.md svm 1). */
export const WRAPPED_SOL = {
  address: NATIVE_MINT.toBase58(),
  programId: TOKEN_PROGRAM_ID.toBase58(),
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
    syncNative(account),
  ]
}

/** Closes the wrapped account of `owner`; everything in it, rent too, goes to `to` as lamports. */
export const unwrapSol = (owner: string, to: string): TransactionInstruction =>
  closeAccount({
    account: new PublicKey(wrappedAccountOf(owner)),
    destination: new PublicKey(to),
    owner: new PublicKey(owner),
  })
