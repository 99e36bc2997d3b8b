import { publicKeyOf } from '@causeway/core/chain'
import { accountOfKey } from '../address/addresses.js'

/** The classic address of a secp256k1 key of 32 bytes. */
export const accountOfSecret = (secret: Uint8Array): string => accountOfKey(publicKeyOf(secret, true))
