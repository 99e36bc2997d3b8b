import type { Hex } from '@causeway/core'
import {
  type HdKey,
  type HdVersions,
  hdAccountOfSeed,
  hdChildOf,
  readHdAccount,
  sweepKeyOf,
} from '@causeway/core/chain-kit'
import { addressOfScript } from '../address/scriptAddress.js'
import type { BitcoinNetwork } from '../network/networks.js'
import { compressKey, payoutSigner } from '../payout/payoutSigner.js'
import { type InputSigner, keyScript } from '../payout/payoutTransaction.js'

/** An address that belongs to one order alone. */
export interface KeyedAddress {
  readonly address: string
  readonly script: Uint8Array
  /** From the master key. */
  readonly path: string
}

/** Version bytes by which wallets mark keys of BIP-84 (zpub, vpub); the key itself is the same as an xpub's. */
const BIP84_VERSIONS: Readonly<Record<BitcoinNetwork['coinType'], HdVersions>> = {
  0: { public: 0x04b24746, private: 0x04b2430c },
  1: { public: 0x045f1cf6, private: 0x045f18bc },
}

const pathOf = ({ coinType }: BitcoinNetwork): string => `m/84'/${coinType}'/0'`

/**
 * Reads the public side of the account of the deposit addresses: an xpub, tpub, zpub or vpub of `m/84'/<coin>'/0'` (BIP-84).
 * @throws Error in plain words if the text is no such key, is of another network, or is a private key
 */
export const readAccountKey = (text: string, network: BitcoinNetwork): HdKey =>
  readHdAccount(text, `Bitcoin's ${network.name}`, [network.parameters.bip32, BIP84_VERSIONS[network.coinType]])

/** The deposit address of an order, from a salt that no other order has (faults.md F18, chains.md bvm 8). */
export const deriveDepositAddress = (account: HdKey, salt: Hex, network: BitcoinNetwork): KeyedAddress => {
  const child = hdChildOf(account, salt)
  const script = keyScript(child.publicKey)
  const address = addressOfScript(script, network)
  if (address === null) throw new Error('A key hash has no address.')
  return { address, script, path: `${pathOf(network)}/${child.path}` }
}

/** The private side of the account, from the `hd` seed of 16 to 64 bytes. */
export const accountOfSeed = (seed: Uint8Array, network: BitcoinNetwork): HdKey =>
  hdAccountOfSeed(seed, pathOf(network), network.parameters.bip32)

/** Eight hex digits, as wallets show it. */
export const fingerprintOf = ({ fingerprint }: HdKey): string => fingerprint.toString(16).padStart(8, '0')

/** Signs what spends from a deposit address. @param account - private */
export const depositAddressSigner = (account: HdKey, salt: Hex): InputSigner => {
  const { secret } = hdChildOf(account, salt)
  if (secret === null) throw new Error('Only the private account signs for a deposit address.')
  const addressOf = (publicKey: Uint8Array) => Buffer.from(keyScript(compressKey(publicKey))).toString('hex')
  return payoutSigner(sweepKeyOf(secret, { scheme: 'secp256k1', addressOf }).signer)
}
