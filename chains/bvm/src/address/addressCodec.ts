import { type AddressCodec, OrderEncodingError } from '@causeway/core/chain'
import { NATIVE, parseAddress, payToKeyHash, payToScriptHash } from './addresses.js'
import type { BitcoinNetwork } from './networks.js'
import { addressOfScript, readScript } from './scriptAddress.js'

const LEGACY_MARK = 0xff
const PLACEHOLDER_BYTES = 20

/**
 * Bytes of addresses of one network in order ids (chains.md bvm 2): witness version and program, or `0xff`, version byte and
 * hash. Core knows the main network; a chain of another one brings this along.
 */
export const bitcoinAddressCodec = (network: BitcoinNetwork): AddressCodec => ({
  encode(text) {
    if (text.length <= 90 && text.toLowerCase() === NATIVE) return new Uint8Array(PLACEHOLDER_BYTES)
    const parsed = parseAddress(text, network)
    if (!parsed.ok) throw new OrderEncodingError(`Bitcoin address: ${parsed.why}`)
    const { kind, script } = parsed
    const hash = readScript(script)?.hash ?? new Uint8Array()
    if (kind === 'p2pkh') return Uint8Array.from([LEGACY_MARK, network.publicKeyHash, ...hash])
    if (kind === 'p2sh') return Uint8Array.from([LEGACY_MARK, network.scriptHash, ...hash])
    return Uint8Array.from([kind === 'p2tr' ? 1 : 0, ...hash])
  },
  decode(bytes) {
    if (bytes.length === PLACEHOLDER_BYTES && bytes.every((byte) => byte === 0)) return NATIVE
    const address = addressOfScript(scriptOf(bytes, network), network)
    if (address === null) throw new OrderEncodingError('Bitcoin address: unknown form')
    return address
  },
})

const scriptOf = (bytes: Uint8Array, network: BitcoinNetwork): Uint8Array => {
  const [first, version] = bytes
  if (first === LEGACY_MARK) {
    const hash = bytes.subarray(2)
    if (version === network.publicKeyHash) return payToKeyHash(hash)
    return version === network.scriptHash ? payToScriptHash(hash) : new Uint8Array()
  }
  return Uint8Array.from([first === 1 ? 0x51 : (first ?? 1), bytes.length - 1, ...bytes.subarray(1)])
}
