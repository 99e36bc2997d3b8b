import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createEd25519Signer, type Signer } from '@causeway/core/chain'
import { addressOfKey } from '../../adapter/ledgerChain/src/address.js'

/** Head of the encoding that Node wants an ed25519 private key in. */
const KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A key of the simulation and its account: the same name is the same key. */
export interface SimKey {
  readonly address: string
  /** 32 bytes as hex, as the service is given keys. */
  readonly secret: string
  /** The key as the service uses keys. */
  readonly signer: Signer
  /** Hex. */
  readonly publicKey: string
  /** A signature at once, by nothing of the service's; hex. */
  sign(message: Uint8Array): string
}

export const simKey = (name: string): SimKey => {
  const seed = createHash('sha256').update(`causeway simulation ${name}`).digest()
  const secret = seed.toString('hex')
  const signer = createEd25519Signer(secret)
  const key = createPrivateKey({ key: Buffer.concat([KEY_HEAD, seed]), format: 'der', type: 'pkcs8' })
  return {
    address: addressOfKey(signer.publicKey),
    secret,
    signer,
    publicKey: Buffer.from(signer.publicKey).toString('hex'),
    sign: (message) => sign(null, message, key).toString('hex'),
  }
}

/** Head of the encoding that Node wants an ed25519 public key in. */
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether a key signed a message; key and signature as hex, or anything. */
export const isSigned = (message: Uint8Array, publicKey: string, signature: string): boolean => {
  try {
    const der = Buffer.concat([PUBLIC_HEAD, Buffer.from(publicKey, 'hex')])
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    return verify(null, message, key, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}

/** Keys of the service on one chain: who pays, who signs along for the depository, and who sends calls of users. */
export interface SimChainKeys {
  readonly payer: SimKey
  readonly allocator: SimKey
  readonly sender: SimKey
}

export const simChainKeys = (slug: string): SimChainKeys => ({
  payer: simKey(`payer of ${slug}`),
  allocator: simKey(`allocator of ${slug}`),
  sender: simKey(`sender of ${slug}`),
})
