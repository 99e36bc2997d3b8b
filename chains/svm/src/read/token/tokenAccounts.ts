import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import type { RpcAccount } from '../../rpc/wire.js'
import { type MintInfo, tokenProgramOf } from './mintInfo.js'
import { createAssociated } from './program/tokenInstructions.js'
import { AccountState, decodeAccount } from './program/tokenLayouts.js'
import { associatedAddress } from './program/tokenPrograms.js'

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
): string => associatedAddress(new PublicKey(address), new PublicKey(owner), new PublicKey(programId)).toBase58()

/** Creates the associated token account at the cost of `payer`, or does nothing when it is there and the owner's. */
export const createTokenAccount = (
  payer: string,
  owner: string,
  mint: Pick<MintInfo, 'address' | 'programId'>,
): TransactionInstruction =>
  createAssociated({
    payer: new PublicKey(payer),
    owner: new PublicKey(owner),
    mint: new PublicKey(mint.address),
    program: new PublicKey(mint.programId),
  })

/** Reads an account as a token account; null when it is none, or does not exist. */
export const readTokenAccount = (account: RpcAccount | null): TokenAccount | null => {
  if (account === null || tokenProgramOf(account.owner) === null) return null
  const token = decodeAccount(Buffer.from(account.data[0], 'base64'))
  if (token === null || token.state === AccountState.Uninitialized) return null
  return {
    mint: token.mint.toBase58(),
    owner: token.owner.toBase58(),
    amount: token.amount,
    frozen: token.state === AccountState.Frozen,
    withholds: token.extension('TransferFeeAmount') !== null,
    delegate: token.delegate?.toBase58() ?? null,
    closer: token.closeAuthority?.toBase58() ?? null,
  }
}
