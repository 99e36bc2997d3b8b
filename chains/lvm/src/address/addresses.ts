import type { AddressCheck } from '@causeway/core/chain'

/** Marker of perps USDC, the native currency (chains.md lvm 1). */
export const NATIVE = '0'

/** Largest index of an account: 2^48 less 2. */
export const MAX_ACCOUNT = 2n ** 48n - 2n

/** Named as user or recipient while no wallet is connected (wire.md 0.5): the largest index, and the text that clients send. */
export const PLACEHOLDERS: readonly string[] = [
  MAX_ACCOUNT.toString(),
  '0x000000000000000000000000000000000000dead',
  '0x000000000000000000000000000000000000dEaD',
]

const INDEX = /^[1-9]\d{0,14}$/
const L1_ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** The insurance fund of the exchange. Its treasury is account 0, which is no address here: the text is the native marker. */
const INSURANCE_FUND = '1'

/** Canonical form of an account: its index in decimal digits, without leading zeros (chains.md lvm 1). */
export const validateAddress = (text: string): AddressCheck => {
  if (!INDEX.test(text)) return { ok: false, why: whyNot(text) }
  if (BigInt(text) <= MAX_ACCOUNT) return { ok: true, canonical: text }
  return { ok: false, why: 'The index of the account is too large.' }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (text === NATIVE) return 'Account 0 is the treasury of the exchange.'
  if (L1_ADDRESS.test(text))
    return 'This is the Ethereum address of an owner, who may have several accounts. Enter the account index that Lighter shows.'
  if (/^0\d+$/.test(text)) return 'The account index has leading zeros.'
  return 'An account of Lighter is its index, a whole number such as 723071.'
}

/** Whether an account belongs to the exchange. */
export const isOwnerless = (account: string): boolean => account === INSURANCE_FUND

/** Account index as the API and the signer write it: all indexes are below 2^53. */
export const indexOf = (account: string): number => Number(account)
