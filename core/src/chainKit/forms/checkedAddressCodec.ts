import type { AddressCheck } from '../../chain/chainAdapter.js'
import type { AddressCodec } from '../../order/encoding/addressCodec.js'
import { addressCodecOf } from '../../order/encoding/vmCodecs.js'
import { OrderEncodingError } from '../../order/orderEncodingError.js'

/**
 * Bytes of addresses of a test network in order ids: those of the main network, which core knows, after the chain checked the text.
 * @param name - name of the chain in errors
 */
export const checkedAddressCodec = (
  vmType: string,
  name: string,
  check: (text: string) => AddressCheck,
): AddressCodec => {
  const main = addressCodecOf(vmType)
  return {
    encode: (text) => {
      const address = check(text)
      if (!address.ok) throw new OrderEncodingError(`${name} address: ${address.why}`)
      if (address.tag !== undefined) throw new OrderEncodingError(`${name} address: carries a destination tag`)
      return main.encode(address.canonical)
    },
    decode: (bytes) => main.decode(bytes),
  }
}
