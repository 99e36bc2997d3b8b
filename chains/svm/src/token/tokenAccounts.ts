import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  getTransferFeeAmount,
  unpackAccount,
} from '@solana/spl-token'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import type { RpcAccount } from '../rpc/wire.js'
import { type MintInfo, tokenProgramOf } from './mintInfo.js'

/** A token account as far as paying into it goes. */
export interface TokenAccount {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly frozen: boolean
  /** Fees of its mint are kept in it until somebody harvests them; while it holds any, nobody can close it. */
  readonly withholds: boolean
  /** Who else may move what is in it, or close it; null: nobody. */
  readonly delegate: string | null
  readonly closer: string | null
}

/** Where an owner, a program's address too, holds a token by convention. */
export const associatedTokenAddress = (
  owner: string,
  { address, programId }: Pick<MintInfo, 'address' | 'programId'>,
): string =>
  getAssociatedTokenAddressSync(new PublicKey(address), new PublicKey(owner), true, new PublicKey(programId)).toBase58()

/** Creates the associated token account at the cost of `payer`, or does nothing when it is there and the owner's. */
export const createTokenAccount = (
  payer: string,
  owner: string,
  mint: Pick<MintInfo, 'address' | 'programId'>,
): TransactionInstruction =>
  createAssociatedTokenAccountIdempotentInstruction(
    new PublicKey(payer),
    new PublicKey(associatedTokenAddress(owner, mint)),
    new PublicKey(owner),
    new PublicKey(mint.address),
    new PublicKey(mint.programId),
  )

/** What an account is as a token account; null when it is none, or not there. */
export const readTokenAccount = (address: string, account: RpcAccount | null): TokenAccount | null => {
  if (account === null || tokenProgramOf(account.owner) === null) return null
  const { owner, lamports, executable } = account
  const info = { owner: new PublicKey(owner), lamports, executable, data: Buffer.from(account.data[0], 'base64') }
  try {
    const token = unpackAccount(new PublicKey(address), info, info.owner)
    if (!token.isInitialized) return null
    return {
      mint: token.mint.toBase58(),
      owner: token.owner.toBase58(),
      amount: token.amount,
      frozen: token.isFrozen,
      withholds: getTransferFeeAmount(token) !== null,
      delegate: token.delegate?.toBase58() ?? null,
      closer: token.closeAuthority?.toBase58() ?? null,
    }
  } catch {
    return null
  }
}
