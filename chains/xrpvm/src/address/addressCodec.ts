import type { AddressCodec } from '@causeway/core/chain'
import { checkedAddressCodec } from '@causeway/core/chain-kit'
import { validateAddress } from './addresses.js'

/** Codec of a test network (chains.md xrpvm 2): X-addresses begin with another letter. The issuer of a currency is a classic account everywhere. */
export const testAddressCodec = (networkId: number): AddressCodec =>
  checkedAddressCodec('xrp-vm', 'XRP', (text) =>
    text.includes('.') ? { ok: true, canonical: text } : validateAddress(text, networkId),
  )
