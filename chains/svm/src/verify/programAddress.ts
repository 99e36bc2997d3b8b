import { encodeAddress, OrderEncodingError } from '@causeway/core/verify'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')

/** Programs that deposits name. */
export const SYSTEM_PROGRAM = '1'.repeat(32)
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

const isPoint = (bytes: Uint8Array): boolean => {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}

/** Address that a program owns for the seeds: the hash with the highest last seed that is no public key. */
export const programAddress = (program: string, ...seeds: readonly Uint8Array[]): string => {
  const id = encodeAddress('solana-vm', program)
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256.create()
    for (const part of [...seeds, Uint8Array.of(bump), id, MARKER]) hash.update(part)
    const address = hash.digest()
    if (!isPoint(address)) return base58.encode(address)
  }
  throw new OrderEncodingError('Solana address: no program address for these seeds')
}

/** Where an owner holds a token by convention. @throws OrderEncodingError when a part is no address */
export const tokenAccountOf = (owner: string, mint: string, tokenProgram: string): string =>
  programAddress(
    ASSOCIATED_TOKEN_PROGRAM,
    ...[owner, tokenProgram, mint].map((address) => encodeAddress('solana-vm', address)),
  )
