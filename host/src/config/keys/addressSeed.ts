import { hexToBytes } from '@causeway/core'
import type { KeyReference } from '../schema/schema.js'
import { type ConfiguredKeystore, readKeyReference, type SecretPlace } from './keySources.js'

const PREFIX = /^0x/

/** The secret of deposit addresses (`keys.hd`), 32 bytes. @throws UnreadableKey where this process cannot have it */
export const readAddressSeed = (
  reference: KeyReference,
  place: SecretPlace,
  keystore: ConfiguredKeystore,
): Uint8Array => hexToBytes(`0x${readKeyReference(reference, place, keystore).replace(PREFIX, '')}`, 'keys.hd', 32)
