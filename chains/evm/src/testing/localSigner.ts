import type { Hex } from '@causeway/core'
import { createSecp256k1Signer, type Signer } from '@causeway/core/chain'

/** A secp256k1 signer over a key in memory. For tests and local demos only. */
export const privateKeySigner = (privateKey: Hex): Signer => createSecp256k1Signer(privateKey)
