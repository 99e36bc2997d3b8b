import { proto } from '@hiero-ledger/proto'
import { hexOf } from '../../engine/values.js'

/** JSON in which bigints are numbers of any size, as mirror nodes write them. */
export const mirrorJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `\0${part}` : part)).replace(/"\\u0000(-?\d+)"/g, '$1')

export const keyJson = (key: proto.IKey | null | undefined): object | null => {
  if (!key) return null
  if (key.ed25519?.length) return { _type: 'ED25519', key: hexOf(key.ed25519) }
  if (key.ECDSASecp256k1?.length) return { _type: 'ECDSA_SECP256K1', key: hexOf(key.ECDSASecp256k1) }
  return { _type: 'ProtobufEncoded', key: hexOf(proto.Key.encode(key).finish()) }
}
