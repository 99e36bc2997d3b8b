import { createHash, createPrivateKey, sign } from 'node:crypto'
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

/** Keys of the service on one chain: who pays, and who signs along for the depository. */
export interface SimChainKeys {
  readonly payer: SimKey
  readonly allocator: SimKey
}

export const simChainKeys = (slug: string): SimChainKeys => ({
  payer: simKey(`payer of ${slug}`),
  allocator: simKey(`allocator of ${slug}`),
})
