import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hashMessage } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

const INDEX_BITS = 46n
/** `v` of a signature is this plus the parity of its curve point. */
const V = 27

/** Index of the account that an L1 address owns on a local exchange. The exchange itself counts accounts. */
export const indexOfOwner = (address: string): string => (BigInt(address) >> (160n - INDEX_BITS)).toString()

/** Lower-case L1 address of the signer of a text (EIP-191); null if the signature has another form. */
export const signerOf = (text: string, signature: string): string | null => {
  const [, body, v = ''] = /^0x([0-9a-f]{128})(1b|1c)$/i.exec(signature) ?? []
  if (body === undefined) return null
  const recoverable = Buffer.from(`0${Number.parseInt(v, 16) - V}${body}`, 'hex')
  try {
    const digest = Buffer.from(hashMessage(text).slice(2), 'hex')
    const key = secp256k1.recoverPublicKey(recoverable, digest, { prehash: false })
    return publicKeyToAddress(`0x${secp256k1.Point.fromBytes(key).toHex(false)}`).toLowerCase()
  } catch {
    return null
  }
}
