import { hkdfSync } from 'node:crypto'
import { createSecp256k1Signer } from '@causeway/core/chain'
import { accountOfKey } from '../address/addresses.js'

/** The one account that the deposit addresses of a chain are tags of. */
export interface DepositAccount {
  /** `0x` and 64 hex digits. */
  readonly privateKey: string
  readonly address: string
}

/** From the secret of `keys.hd`: another key for each chain, which tells nothing of the others. */
export const depositAccountOf = (seed: Uint8Array, chainId: number): DepositAccount => {
  const key = hkdfSync('sha256', seed, new Uint8Array(), `causeway/xrp/deposit-account/${chainId}`, 32)
  const privateKey = `0x${Buffer.from(key).toString('hex')}`
  return { privateKey, address: accountOfKey(createSecp256k1Signer(privateKey).publicKey) }
}
