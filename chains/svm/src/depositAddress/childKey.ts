import { type Hex, hexToBytes, type Json } from '@causeway/core'
import { Keypair } from '@solana/web3.js'
import { deriveKey } from './slip10.js'

/** A key of the seed that holds the money of one address alone. */
export interface ChildKey {
  readonly address: string
  readonly path: string
  /** 32 secret bytes: whoever holds them moves what arrives. */
  readonly privateKey: Uint8Array
}

/** Which key signs for what lies at an address: the salt derives it, and it must give the address. */
export interface SweepSigner {
  readonly address: string
  readonly salt: Hex
}

/** Purpose, Solana, account and change; eight indexes out of the address's salt follow. */
const ROOT = [44, 501, 0, 0] as const
const SALT_BYTES = 32
const INDEX_BITS = 0x7fff_ffff

/** The eight indexes of a salt: four bytes each, their highest bit dropped. */
export const indexesOfSalt = (salt: Hex): readonly number[] => {
  const bytes = Buffer.from(hexToBytes(salt, 'salt', SALT_BYTES))
  return Array.from({ length: SALT_BYTES / 4 }, (_, at) => bytes.readUInt32BE(4 * at) & INDEX_BITS)
}

/**
 * The key of a deposit address, from the `hd` seed and a salt that no other address has (F18). For tokens the user pays the same
 * address; wallets find its associated token account.
 */
export const deriveChildKey = (seed: Uint8Array, salt: Hex): ChildKey => {
  const indexes = [...ROOT, ...indexesOfSalt(salt)]
  const { key } = deriveKey(seed, indexes)
  const path = `m/${indexes.map((index) => `${index}'`).join('/')}`
  return { address: Keypair.fromSeed(key).publicKey.toBase58(), path, privateKey: key }
}

/** The salt in an address's derivation; null when `AddressPool.make` did not write it. */
export const saltOf = (derivation: Json): Hex | null => {
  const { salt }: { readonly salt?: unknown } = Object(derivation)
  // CAST: the pattern says what it is.
  return typeof salt === 'string' && /^0x[0-9a-f]{64}$/.test(salt) ? (salt as Hex) : null
}
