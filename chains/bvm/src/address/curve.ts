import { secp256k1Curve } from '@causeway/core/chain'

/** The curve that this package and the libraries for Bitcoin compute with. */
export const ecc = await secp256k1Curve()
