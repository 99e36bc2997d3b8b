import { type Json, ServiceError } from '@causeway/core'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import { validateAddress } from '../address/addresses.js'

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

/** Reads the same form. @throws ServiceError INVALID_REQUEST when it is anything else */
export const decodeStepData = (data: Json): StepData => {
  const { instructions, addressLookupTableAddresses } = objectOf(data)
  return {
    instructions: listOf(instructions).map(readInstruction),
    tables: addressLookupTableAddresses === undefined ? [] : listOf(addressLookupTableAddresses).map(addressOf),
  }
}

const readInstruction = (value: Json): TransactionInstruction => {
  const { keys, programId, data } = objectOf(value)
  if (typeof data !== 'string' || !/^([0-9a-fA-F]{2})*$/.test(data)) throw unreadable()
  return new TransactionInstruction({
    programId: new PublicKey(addressOf(programId)),
    keys: listOf(keys).map((key) => {
      const { pubkey, isSigner, isWritable } = objectOf(key)
      return { pubkey: new PublicKey(addressOf(pubkey)), isSigner: isSigner === true, isWritable: isWritable === true }
    }),
    data: Buffer.from(data, 'hex'),
  })
}

const objectOf = (value: Json | undefined): { readonly [key: string]: Json | undefined } => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable()
  // CAST: neither array nor null.
  return value as { readonly [key: string]: Json }
}

const listOf = (value: Json | undefined): readonly Json[] => {
  if (!Array.isArray(value)) throw unreadable()
  return value
}

const addressOf = (value: Json | undefined): string => {
  const check = typeof value === 'string' ? validateAddress(value) : null
  if (!check?.ok) throw unreadable()
  return check.canonical
}

const unreadable = (): ServiceError =>
  new ServiceError('INVALID_REQUEST', 'The instructions of the swap before this deposit cannot be read.')
