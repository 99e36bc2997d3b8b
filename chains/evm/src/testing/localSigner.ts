import { createSecp256k1Signer, type Hex, type Signer } from '@causeway/core'

/** A secp256k1 signer over a key in memory. For tests and local demos only. */
export const privateKeySigner = (privateKey: Hex): Signer => createSecp256k1Signer(privateKey)
