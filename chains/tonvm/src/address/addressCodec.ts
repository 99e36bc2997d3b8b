import { type AddressCodec, addressCodecOf, OrderEncodingError } from '@causeway/core/chain'
import { validateAddress } from './addresses.js'

const TESTNET = { isTestnet: true }

/** Bytes of addresses and currencies of a test network in order ids (chains.md tonvm 2): as on the main network, also of addresses with the test flag. */
export const testAddressCodec = (): AddressCodec => {
  const main = addressCodecOf('ton-vm')
  return {
    encode: (text) => {
      const checked = validateAddress(text, TESTNET)
      if (!checked.ok) throw new OrderEncodingError(`TON address: ${checked.why}`)
      return main.encode(checked.canonical)
    },
    decode: (bytes) => main.decode(bytes),
  }
}
