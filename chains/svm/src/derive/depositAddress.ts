import { type Hex, hexToBytes } from '@causeway/core'
import { Keypair } from '@solana/web3.js'
import { deriveKey } from './slip10.js'

/** An address that belongs to one request alone. */
export interface DerivedAddress {
  readonly address: string
  readonly path: string
  /** 32 secret bytes: whoever holds them moves what arrives. */
  readonly privateKey: Uint8Array
}

/** Purpose, Solana, account and change; eight indexes out of the request's salt follow. */
const ROOT = [44, 501, 0, 0] as const
const SALT_BYTES = 32
const INDEX_BITS = 0x7fff_ffff

/** The eight indexes of a salt: four bytes each, their highest bit dropped. */
export const indexesOfSalt = (salt: Hex): readonly number[] => {
  const bytes = Buffer.from(hexToBytes(salt, 'salt', SALT_BYTES))
  return Array.from({ length: SALT_BYTES / 4 }, (_, at) => bytes.readUInt32BE(4 * at) & INDEX_BITS)
}

/**
 * The deposit address of a request, from the `hd` seed and a salt that no other request has (F18). For tokens the user pays
 * the same address; wallets find its associated token account.
 */
export const deriveDepositAddress = (seed: Uint8Array, salt: Hex): DerivedAddress => {
  const indexes = [...ROOT, ...indexesOfSalt(salt)]
  const { key } = deriveKey(seed, indexes)
  const path = `m/${indexes.map((index) => `${index}'`).join('/')}`
  return { address: Keypair.fromSeed(key).publicKey.toBase58(), path, privateKey: key }
}
