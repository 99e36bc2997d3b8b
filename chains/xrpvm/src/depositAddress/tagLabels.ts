import type { Destination } from '@causeway/core/chain'
import { type AddressLabels, tagOfTerms } from '@causeway/core/chain-kit'
import { xAddressToClassicAddress } from 'ripple-address-codec'
import { validateAddress, xAddressOf } from '../address/addresses.js'

/** The account of the deposit addresses, classic form, and its network. */
export interface DepositAccount {
  readonly account: string
  readonly networkId: number
}

export const TURNS = 4

/** Destination tags of the account, spelled as X-addresses, which hold account and tag in one text (chains.md xrpvm 8). */
export const tagLabels = (own: DepositAccount): AddressLabels => ({
  form: 'tag',
  turns: TURNS,
  of: (terms, turn) => `${tagOfTerms(terms, turn)}`,
  spell: (label) => ({ address: xAddressOf(own.account, Number(label), own.networkId) }),
  read: (destination) => readTag(own, destination),
})

const readTag = ({ account, networkId }: DepositAccount, { address, tag, memo }: Destination): string | null => {
  const read = validateAddress(address, networkId)
  if (!read.ok || read.canonical !== account || memo !== undefined) return null
  const inside = address.startsWith('r') ? false : xAddressToClassicAddress(address).tag
  if (tag !== undefined && inside !== false && tag !== inside) return null
  const label = tag ?? inside
  return label === false ? null : `${label}`
}
