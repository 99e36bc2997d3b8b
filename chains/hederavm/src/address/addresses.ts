import { type AddressCheck, addressCodecOf, OrderEncodingError } from '@causeway/core/chain'
import { isMisspelled } from '@causeway/core/chain-kit'
import { checksumOf } from './checksum.js'

/** Decimal places of HBAR; the smallest unit is a tinybar. */
export const HBAR_DECIMALS = 8

/** Largest amount of one entry of a transfer, and number of an account: a signed integer of 64 bits. */
export const MAX_AMOUNT = 2n ** 63n - 1n

/** Marker of the native currency; no account has this number (chains.md hederavm 1). */
export const NATIVE = '0.0.0'

const ENTITY = /^0\.0\.(0|[1-9]\d{0,18})(?:-([a-z]{5}))?$/
const OTHER_REALM = /^\d+\.\d+\.\d+(?:-[a-z]{5})?$/
const EVM = /^(?:0x|0\.0\.)([0-9a-fA-F]{40})$/
const CODEC = addressCodecOf('hedera-vm')
/** System accounts have lower numbers: nodes, fee accounts and the treasury of the network. */
const FIRST_USER_NUMBER = 1000n

/** Whether a text is an account or a token by its number, in the canonical form. */
export const isEntity = (text: string): boolean => ENTITY.test(text) && !text.includes('-')

/** Whether a text is an EVM address in the canonical form. */
export const isEvmAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/.test(text)

export const numberOf = (entity: string): bigint => BigInt(entity.slice('0.0.'.length))

/** Whether an account belongs to the network itself. */
export const isSystemAccount = (account: string): boolean => isEntity(account) && numberOf(account) < FIRST_USER_NUMBER

/**
 * Canonical form of an account: `0.0.<number>`, or the EVM address in lower case. A long-zero EVM address is the number that it holds; a
 * checksum must be that of the network (chains.md hederavm 1).
 * @param ledgerId - bytes in hex; null: the network has no checksums
 */
export const validateAddress = (text: string, ledgerId: string | null): AddressCheck => {
  const [, number, checksum] = ENTITY.exec(text) ?? []
  if (number !== undefined && checksum !== undefined) return checkChecksum(`0.0.${number}`, checksum, ledgerId)
  const [, hex] = EVM.exec(text) ?? []
  if (number === undefined && hex === undefined) return { ok: false, why: whyNot(text) }
  if (hex !== undefined && isMisspelled(hex))
    return { ok: false, why: 'The EVM address has a typing error: its capital letters are wrong.' }
  return canonicalOf(text)
}

const checkChecksum = (account: string, checksum: string, ledgerId: string | null): AddressCheck => {
  if (ledgerId === null) return { ok: false, why: 'This network has no checksums. Enter the account without it.' }
  if (checksumOf(account, ledgerId) === checksum) return canonicalOf(account)
  return { ok: false, why: 'The checksum is wrong: the account has a typing error, or it is of another network.' }
}

/** Two texts are one account if they have the same bytes. */
const canonicalOf = (text: string): AddressCheck => {
  try {
    return { ok: true, canonical: CODEC.decode(CODEC.encode(text)) }
  } catch (error) {
    if (!(error instanceof OrderEncodingError)) throw error
    return { ok: false, why: 'The number of the account is too large.' }
  }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (/^(?:0\.0\.)?[0-9a-f]{66,88}$/i.test(text))
    return 'Aliases of public keys are not supported. Enter the number or the EVM address of the account.'
  if (OTHER_REALM.test(text)) return 'Accounts of Hedera begin with 0.0 and have no leading zeros.'
  if (/^(bc1|tb1|bcrt1|T[1-9A-HJ-NP-Za-km-z]{33}$|r[1-9A-HJ-NP-Za-km-z]{24,34}$)/.test(text))
    return 'This is an address of another network, not of Hedera.'
  return 'An account of Hedera is 0.0 and its number, or an EVM address of 0x and 40 hex digits.'
}

/** Canonical token id; NATIVE for itself and for the zero address of EVM chains (wire.md K.1 10); null for other text. */
export const normalizeCurrency = (text: string, ledgerId: string | null): string | null => {
  const read = validateAddress(text, ledgerId)
  // Tokens by an EVM address are contracts, which the EVM package serves.
  return read.ok && isEntity(read.canonical) ? read.canonical : null
}
