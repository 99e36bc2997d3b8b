import { createHash } from 'node:crypto'
import { ServiceError } from '@causeway/core'
import type { DepositAddressTerms, DerivedAddress, Destination } from '@causeway/core/chain'
import { xAddressToClassicAddress } from 'ripple-address-codec'
import { validateAddress, xAddressOf } from '../address/addresses.js'

/** The account that the addresses of a chain are tags of. */
export interface TaggedAccount {
  /** Classic form. */
  readonly account: string
  readonly networkId: number
}

const TAG_BYTES = 4

/** How many tags the same terms have: of a hundred million given ones, not one order in three million finds all of them taken. */
export const TURNS = 4

/**
 * The tag of an order's address: 32 bits of a hash, so that nobody chooses one, and never 0, which some wallets send where their user
 * named none. `turn` gives another where that one is another order's (faults.md F18).
 */
export const tagOf = ({ orderId, depositor }: DepositAddressTerms, turn = 0): number => {
  const digest = createHash('sha256').update(`${orderId}|${depositor}|${turn}`).digest()
  for (let at = 0; at < digest.length; at += TAG_BYTES) {
    const tag = digest.readUInt32BE(at)
    if (tag !== 0) return tag
  }
  throw new Error('A hash of nothing but zeros')
}

/** The X-address of an order, which holds account and tag in one text (chains.md xrpvm 8). */
export const deriveTagAddress = (
  { account, networkId }: TaggedAccount,
  terms: DepositAddressTerms,
  turn = 0,
): DerivedAddress => {
  const tag = tagOf(terms, turn)
  return { destination: { address: xAddressOf(account, tag, networkId) }, derivation: { tag, turn } }
}

/** The account and the tag behind a destination, which may be an X-address; null for what is no tag of the account. */
export const readTag = ({ account, networkId }: TaggedAccount, { address, tag, memo }: Destination): number | null => {
  const read = validateAddress(address, networkId)
  if (!read.ok || read.canonical !== account || memo !== undefined) return null
  const inside = xAddressTag(address)
  if (tag !== undefined && inside !== undefined && tag !== inside) return null
  return tag ?? inside ?? null
}

const xAddressTag = (address: string): number | undefined => {
  if (address.startsWith('r')) return undefined
  const { tag } = xAddressToClassicAddress(address)
  return tag === false ? undefined : tag
}

/** As `readTag`. @throws ServiceError INVALID_ADDRESS for what is none */
export const requireTag = (tagged: TaggedAccount, destination: Destination): number => {
  const tag = readTag(tagged, destination)
  if (tag !== null) return tag
  throw new ServiceError('INVALID_ADDRESS', 'This is no deposit address of this chain: it names no tag of its account.')
}

/** The X-address of a tag of the account; what names no such tag stays as it is. */
export const spellTagAddress = (tagged: TaggedAccount, named: Destination): Destination => {
  const tag = readTag(tagged, named)
  return tag === null ? named : { address: xAddressOf(tagged.account, tag, tagged.networkId) }
}
