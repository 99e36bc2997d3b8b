import type { Json } from '@causeway/core'
import type { TransactionInstruction } from '@solana/web3.js'

/** Transaction data of a step item (wire.md A.5 svm): the client adds blockhash and payer. */
export interface StepData {
  readonly instructions: readonly TransactionInstruction[]
  readonly tables: readonly string[]
}

export const encodeStepData = ({ instructions, tables }: StepData): Json => ({
  instructions: instructions.map(({ keys, programId, data }) => ({
    keys: keys.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: pubkey.toBase58(), isSigner, isWritable })),
    programId: programId.toBase58(),
    data: data.toString('hex'),
  })),
  addressLookupTableAddresses: tables,
})
