import type { Json } from '@causeway/core'
import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { StepData } from './stepData.js'

interface StepJson {
  readonly instructions: readonly {
    readonly keys: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
    readonly programId: string
    readonly data: string
  }[]
  readonly addressLookupTableAddresses: readonly string[]
}

/** Reads step data as a client does (wire.md A.5 svm). */
export const decodeStepData = (data: Json): StepData => {
  // CAST: what is in a step item of Solana.
  const { instructions, addressLookupTableAddresses } = data as unknown as StepJson
  return {
    instructions: instructions.map(
      ({ keys, programId, data: hex }) =>
        new TransactionInstruction({
          keys: keys.map((key) => ({ ...key, pubkey: new PublicKey(key.pubkey) })),
          programId: new PublicKey(programId),
          data: Buffer.from(hex, 'hex'),
        }),
    ),
    tables: addressLookupTableAddresses,
  }
}
