import { bytesToHex, type Hex, hexToBytes } from '@causeway/core'
import type { DepositAddressTerms } from '@causeway/core/chain'
import { BIP32Factory, type BIP32Interface } from 'bip32'
import { crypto, type Network } from 'bitcoinjs-lib'
import { ecc } from '../address/curve.js'
import type { BitcoinNetwork } from '../address/networks.js'
import { addressOfScript } from '../address/scriptAddress.js'
import { type InputSigner, keyScript } from '../payout/payoutTransaction.js'

const bip32 = BIP32Factory(ecc)

/** An address that belongs to one order alone. */
export interface KeyedAddress {
  readonly address: string
  readonly script: Uint8Array
  /** From the master key. */
  readonly path: string
}

const SALT_BYTES = 32
const INDEX_BITS = 0x7fff_ffff
/** Depth of an account's key: purpose, coin, account. */
const ACCOUNT_DEPTH = 3
const RECEIVING = 0

/** Version bytes by which wallets mark keys of BIP-84 (zpub, vpub); the key itself is the same as an xpub's. */
const BIP84_VERSIONS = [
  { public: 0x04b24746, private: 0x04b2430c },
  { public: 0x045f1cf6, private: 0x045f18bc },
] as const

/** The salt of an address: the order id, which holds 256 random bits, and whom the deposit is credited to (F18, wire.md E.4). */
export const saltOf = ({ orderId, depositor }: DepositAddressTerms): Hex => {
  const id = hexToBytes(orderId, 'order id', SALT_BYTES)
  return bytesToHex(crypto.sha256(Buffer.concat([id, Buffer.from(depositor, 'utf8')])))
}

/** The eight indexes of a salt: four bytes each, their highest bit dropped, so that none is hardened. */
export const indexesOfSalt = (salt: Hex): readonly number[] => {
  const bytes = Buffer.from(hexToBytes(salt, 'salt', SALT_BYTES))
  return Array.from({ length: SALT_BYTES / 4 }, (_, at) => bytes.readUInt32BE(4 * at) & INDEX_BITS)
}

/**
 * Public side of the account that deposit addresses belong to: an xpub, tpub, zpub or vpub of `m/84'/<coin>'/0'` (BIP-84). Who
 * quotes needs no private key.
 * @throws Error in plain words when the text is no such key, is of another network, or is a private key
 */
export const readAccountKey = (text: string, network: BitcoinNetwork): BIP32Interface => {
  const key = parseKey(text, network)
  if (key === null) throw new Error(`This is no extended public key of Bitcoin's ${network.name}.`)
  if (!key.isNeutered()) throw new Error('This is an extended private key. Only the public one may be configured here.')
  if (key.depth !== ACCOUNT_DEPTH) throw new Error("This is not the key of an account: it must be of m/84'/<coin>'/0'.")
  return key
}

/** The deposit address of an order, from a salt that no other order has (F18, chains.md bvm 8). */
export const deriveDepositAddress = (account: BIP32Interface, salt: Hex, network: BitcoinNetwork): KeyedAddress => {
  const indexes = [RECEIVING, ...indexesOfSalt(salt)]
  const child = indexes.reduce((key, index) => key.derive(index), account)
  const script = keyScript(child.publicKey)
  const address = addressOfScript(script, network)
  if (address === null) throw new Error('A key hash has no address.')
  return { address, script, path: `m/84'/${network.coinType}'/0'/${indexes.join('/')}` }
}

/** The account's private side, from the `hd` seed of 16 to 64 bytes. */
export const accountOfSeed = (seed: Uint8Array, network: BitcoinNetwork): BIP32Interface =>
  bip32.fromSeed(seed, network.parameters).derivePath(`m/84'/${network.coinType}'/0'`)

/** Signs what spends from a deposit address. */
export const depositAddressSigner = (account: BIP32Interface, salt: Hex): InputSigner => {
  const child = [RECEIVING, ...indexesOfSalt(salt)].reduce((key, index) => key.derive(index), account)
  return { publicKey: child.publicKey, sign: async (digest) => child.sign(digest) }
}

const parseKey = (text: string, { coinType, parameters }: BitcoinNetwork): BIP32Interface | null => {
  const marked: Network = { ...parameters, bip32: BIP84_VERSIONS[coinType] }
  for (const candidate of [parameters, marked]) {
    try {
      return bip32.fromBase58(text, candidate)
    } catch {
      // Another version, or no key at all.
    }
  }
  return null
}
