import type { Signer } from '@causeway/core'
import { type Hex, hexToBytes } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'

/** A secp256k1 signer over a key in memory. For tests and local demos only. */
export const privateKeySigner = (privateKey: Hex): Signer => {
  const account = privateKeyToAccount(privateKey)
  return {
    scheme: 'secp256k1',
    publicKey: hexToBytes(account.publicKey),
    sign: async (digest) => {
      const hash: Hex = `0x${Buffer.from(digest).toString('hex')}`
      return hexToBytes(await sign({ hash, privateKey, to: 'hex' }))
    },
  }
}
