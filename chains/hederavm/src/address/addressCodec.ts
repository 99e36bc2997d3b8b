import { type AddressCodec, addressCodecOf, OrderEncodingError } from '@causeway/core/chain'
import { validateAddress } from './addresses.js'

/**
 * Bytes of addresses and currencies of a test network in order ids (chains.md hederavm 2): those of the main network, which core knows,
 * after the checksum was verified for the network.
 */
export const testAddressCodec = (ledgerId: string | null): AddressCodec => {
  const main = addressCodecOf('hedera-vm')
  return {
    encode: (text) => {
      const address = validateAddress(text, ledgerId)
      if (!address.ok) throw new OrderEncodingError(`Hedera address: ${address.why}`)
      return main.encode(address.canonical)
    },
    decode: (bytes) => main.decode(bytes),
  }
}
