import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { addressOf } from './addresses.js'

/** Address of a secp256k1 key of 65 or 33 bytes. */
export const addressOfKey = (publicKey: Uint8Array): string => addressOf(evmAddressOfKey(publicKey))
