import { OrderEncodingError } from '../orderEncodingError.js'
import type { AddressCodec, VmCodec } from './addressCodec.js'
import { bitcoinCodec } from './bitcoin.js'
import { ethereumCodec } from './ethereum.js'
import { hederaCodec } from './hedera.js'
import { hyperliquidCodec } from './hyperliquid.js'
import { lighterCodec } from './lighter.js'
import { solanaCodec } from './solana.js'
import { tonCodec } from './ton.js'
import { tronCodec } from './tron.js'
import { xrpCodec } from './xrp.js'

/** Codecs of the nine VMs of the order protocol, by protocol VM name. */
export const vmCodecs: ReadonlyMap<string, VmCodec> = new Map([
  ['bitcoin-vm', bitcoinCodec],
  ['ethereum-vm', ethereumCodec],
  ['solana-vm', solanaCodec],
  ['tron-vm', tronCodec],
  ['ton-vm', tonCodec],
  ['hyperliquid-vm', hyperliquidCodec],
  ['lighter-vm', lighterCodec],
  ['xrp-vm', xrpCodec],
  ['hedera-vm', hederaCodec],
])

/** Codecs of VMs beyond the nine, by protocol VM name. They cannot replace one of the nine. */
export type AddressCodecs = Readonly<Record<string, AddressCodec>>

/** @throws OrderEncodingError when neither the nine nor `others` know the VM. */
export function addressCodecOf(vmType: string, others?: AddressCodecs): AddressCodec {
  const known = vmCodecs.get(vmType)
  if (known !== undefined) return known
  const other = others !== undefined && Object.hasOwn(others, vmType) ? others[vmType] : undefined
  if (other === undefined) throw new OrderEncodingError(`No address encoding for VM ${vmType.slice(0, 32)}`)
  return other
}

/** Bytes of an address or currency of a VM, such as `ethereum-vm`. @throws OrderEncodingError */
export function encodeAddress(vmType: string, text: string, others?: AddressCodecs): Uint8Array {
  return addressCodecOf(vmType, others).encode(text)
}

/** Canonical text of the bytes that `encodeAddress` gave. @throws OrderEncodingError */
export function decodeAddress(vmType: string, bytes: Uint8Array, others?: AddressCodecs): string {
  return addressCodecOf(vmType, others).decode(bytes)
}

/** Raw bytes of a transaction id of one of the nine VMs. @throws OrderEncodingError */
export function encodeTransactionId(vmType: string, id: string): Uint8Array {
  const codec = vmCodecs.get(vmType)
  if (codec === undefined) throw new OrderEncodingError(`No transaction id encoding for VM ${vmType.slice(0, 32)}`)
  return codec.encodeTransactionId(id)
}
