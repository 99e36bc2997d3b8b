import type { Delegation } from '../chain/laneAdapter.js'
import { ServiceError } from '../errors/serviceError.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const WORD = /^0x[0-9a-fA-F]{1,64}$/
/** Half of the order of the curve: a signature has one form only, that with the lower `s` (EIP-2, faults.md F80). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

const isSigned = ({ yParity, r, s }: Delegation): boolean =>
  [0, 1].includes(yParity) && WORD.test(r) && WORD.test(s) && BigInt(r) > 0n && BigInt(s) > 0n

/**
 * EIP-7702 authorizations of a body (wire.md 1.2), as `path` in it. Throws ServiceError INVALID_REQUEST for one that no chain would apply: it would
 * leave it out in silence, and what relies on it would run without.
 */
export const checkDelegations = (delegations: readonly Delegation[], path: string): void => {
  delegations.forEach((delegation, at) => {
    const { chainId, address, nonce, s } = delegation
    const refuse = (why: string): ServiceError => new ServiceError('INVALID_REQUEST', `${path}[${at}] ${why}`)
    if (!isWhole(chainId) || !isWhole(nonce) || !ADDRESS.test(address) || !isSigned(delegation))
      throw refuse('is no signed EIP-7702 authorization')
    if (BigInt(s) > HALF_ORDER) throw refuse('has an s in the upper half of the curve, which no chain takes')
  })
}
