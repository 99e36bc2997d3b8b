import type { Json } from '@causeway/core'

/** What keeps a payment from landing twice: its bytes name a blockhash, and after this block height no block takes them. */
export interface SequenceGuard {
  readonly address: string
  readonly sequence: number
  readonly lastValidBlockHeight: bigint
}

export const sequenceGuard = ({ address, sequence, lastValidBlockHeight }: SequenceGuard): string =>
  `sequence:${address}:${sequence}:${lastValidBlockHeight}`

/** Reverse of `sequenceGuard`; null for other guards. */
export const readSequenceGuard = (guard: string): SequenceGuard | null => {
  const [, address, sequence, height] =
    guard.match(/^sequence:([1-9A-HJ-NP-Za-km-z]{32,44}):([0-9]{1,16}):([0-9]{1,20})$/) ?? []
  if (address === undefined || height === undefined) return null
  return { address, sequence: Number(sequence), lastValidBlockHeight: BigInt(height) }
}

/** Next sequence number of a stored position. */
export const sequenceOf = (position: Json): number => {
  const sequence = typeof position === 'object' && position !== null ? Reflect.get(position, 'sequence') : undefined
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0) {
    throw new Error('The stored position of this lane cannot be read.')
  }
  return sequence
}
