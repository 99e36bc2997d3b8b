import { type AddressCodec, addressCodecOf, OrderEncodingError } from '@causeway/core/chain'
import { validateAddress } from './addresses.js'

/**
 * Bytes of addresses and currencies of a test network in order ids (chains.md xrpvm 2): those of the main network, which core knows, but
 * X-addresses begin with another letter.
 */
export const testAddressCodec = (networkId: number): AddressCodec => {
  const main = addressCodecOf('xrp-vm')
  return {
    encode: (text) => {
      // An issued currency: its issuer is a classic account on every network.
      if (text.includes('.')) return main.encode(text)
      const address = validateAddress(text, networkId)
      if (!address.ok) throw new OrderEncodingError(`XRP address: ${address.why}`)
      if (address.tag !== undefined) throw new OrderEncodingError('XRP address: carries a destination tag')
      return main.encode(address.canonical)
    },
    decode: (bytes) => main.decode(bytes),
  }
}
