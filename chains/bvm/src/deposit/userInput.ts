import { type Hex, hexToBytes, ServiceError } from '@causeway/core'
import { crypto } from 'bitcoinjs-lib'
import type { ParsedAddress } from '../address/addresses.js'
import { equalBytes, readScript } from '../address/scriptAddress.js'

/** What a wallet must find in the PSBT to know that an input is its own, beside the output that it spends. */
export interface InputHints {
  /**
   * Whether an input carries the whole previous transaction. `needed` without a witness, whose signature does not commit to the
   * amount; `offered` to version 0 witnesses, which hardware wallets sign with it alone; `unused` by taproot, which commits to all amounts.
   */
  readonly previous: 'needed' | 'offered' | 'unused'
  readonly redeemScript?: Uint8Array
  readonly tapInternalKey?: Uint8Array
}

/**
 * Hints for inputs of one address. A P2SH address hides what it pays: with the user's key it can be told that it nests P2WPKH.
 * @throws ServiceError INVALID_REQUEST when the key is missing for P2SH, or is not the one of the address
 */
export const inputHints = ({ kind, script }: ParsedAddress, publicKey: Hex | null): InputHints => {
  const key = publicKey === null ? null : compressedKey(publicKey)
  if (kind === 'p2sh') return { previous: 'offered', redeemScript: redeemScriptOf(script, key) }
  if (kind === 'p2tr') return { previous: 'unused', ...(key === null ? {} : { tapInternalKey: key.subarray(1) }) }
  if (key !== null && (kind === 'p2pkh' || kind === 'p2wpkh')) requireHash(script, crypto.hash160(key))
  return { previous: kind === 'p2pkh' ? 'needed' : 'offered' }
}

const redeemScriptOf = (script: Uint8Array, key: Uint8Array | null): Uint8Array => {
  if (key === null) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'A Bitcoin address that begins with 3 or 2 needs the public key of its wallet in additionalData.userPublicKey.',
    )
  }
  const redeem = Uint8Array.from([0, 20, ...crypto.hash160(key)])
  requireHash(script, crypto.hash160(redeem))
  return redeem
}

const requireHash = (script: Uint8Array, hash: Uint8Array): void => {
  const held = readScript(script)?.hash
  if (held !== undefined && equalBytes(held, hash)) return
  throw new ServiceError(
    'INVALID_REQUEST',
    'additionalData.userPublicKey is not the key of the user’s Bitcoin address.',
  )
}

const compressedKey = (publicKey: Hex): Uint8Array => {
  const digits = publicKey.replace(/^0x/i, '').toLowerCase()
  if (!/^0[23][0-9a-f]{64}$/.test(digits)) {
    throw new ServiceError(
      'INVALID_REQUEST',
      'additionalData.userPublicKey must be a compressed public key: 33 bytes in hex.',
    )
  }
  return hexToBytes(`0x${digits}`, 'public key', 33)
}
