import type { Destination } from '../chainReferences.js'
import { destinationText } from '../destination.js'
import type { DepositAddresses, DepositAddressTerms, DerivedAddress } from './depositAddresses.js'

/** Every address that terms may have had, the usual one first; none where addresses come from a pool. */
export const derivedTurns = (addresses: DepositAddresses, terms: DepositAddressTerms): readonly DerivedAddress[] => {
  const { derive, turns = 1 } = addresses
  if (derive === undefined) return []
  return Array.from({ length: turns }, (_, turn) => derive.call(addresses, terms, turn))
}

/** The address that terms give at that destination; undefined where they never do: it is none of theirs. */
export const derivedAt = (
  addresses: DepositAddresses,
  terms: DepositAddressTerms,
  destination: Destination,
): DerivedAddress | undefined => {
  const text = destinationText(destination)
  return derivedTurns(addresses, terms).find((derived) => destinationText(derived.destination) === text)
}
