import type { Hex } from '../money/hex.js'
import type { AddressCodecs } from './encoding/vmCodecs.js'
import { hashOrder } from './hashOrder.js'
import { bytesToHex } from './hexBytes.js'
import { keccak256 } from './keccak256.js'
import type { Order } from './order.js'

/**
 * The order id: EIP-712 struct hash of `Order` with every recipient and currency in its VM's byte encoding, without a
 * domain (chains.md "Hashing"). Equal meaning gives the equal id: letter case of EVM addresses, leading zeros of numbers
 * and the order of JSON keys do not matter. Fields that are not part of an order are ignored; `OrderSchema` refuses them.
 *
 * @param vmTypeBySlug protocol VM name (`ethereum-vm`) of each configured chain slug
 * @param codecs address codecs of VMs beyond the nine of the protocol
 * @throws OrderEncodingError on an unknown slug or VM, or a field out of range or malformed
 */
export function computeOrderId(
  order: Order,
  vmTypeBySlug: Readonly<Record<string, string>>,
  codecs?: AddressCodecs,
): Hex {
  return bytesToHex(hashOrder(order, { vmTypeBySlug, codecs, keccak256 }))
}
