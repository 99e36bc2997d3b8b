import type { Hex } from '@causeway/core'
import { keccak256, type NewNonceMapping, type NonceMapping, type PayoutPurpose } from '@causeway/core/chain'

/**
 * Mappings of the service's own payments name the purpose in place of a depositor, which only a deposit has. A fill names its wallet, as
 * verifiers expect. No caller can register a mapping of the solver's or the depository's wallet.
 */
export const purposeMark = (purpose: PayoutPurpose, wallet: string): string =>
  purpose === 'fill' ? wallet : `0x${Buffer.from(purpose.padEnd(MARK_BYTES, '\0')).toString('hex')}`

const MARK_BYTES = 20
const PURPOSES: readonly PayoutPurpose[] = ['refund', 'excess', 'withdraw', 'claim', 'send', 'sweep']

/** The purpose of a payment of the solver or the depository, by its mapping. */
export const markedPurpose = ({ depositor, wallet }: NonceMapping): PayoutPurpose | null =>
  depositor === wallet ? 'fill' : (PURPOSES.find((purpose) => purposeMark(purpose, wallet) === depositor) ?? null)

/**
 * The mark of a sweep, whose wallet is a deposit address. Callers do not know the extended public key of the addresses, so that none can
 * have a payment taken for a sweep.
 */
export const sweepMark = (
  depositKey: string,
  { wallet, nonce, id }: Pick<NewNonceMapping, 'wallet' | 'nonce' | 'id'>,
): Hex => {
  const text = `sweep ${depositKey} ${wallet} ${nonce} ${id}`
  return `0x${Buffer.from(keccak256(new TextEncoder().encode(text)).subarray(0, MARK_BYTES)).toString('hex')}`
}

/** Whether a mapping is that of a sweep. @param depositKey - null: the chain has no deposit addresses */
export const isSweep = (mapping: NonceMapping, depositKey: string | null): boolean =>
  depositKey !== null && mapping.depositor === sweepMark(depositKey, mapping)
