import type { AddressCheck } from '@causeway/core/chain'
import { Address } from '@ton/core'

/** Marker of the native currency: workchain 0 with 32 zero bytes (chains.md tonvm 1). */
export const NATIVE = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'

/** Account that clients name while no wallet is connected (wire.md 0.5). */
export const PLACEHOLDER = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADerZ0z'

/** The account of the native marker, which has no key. */
export const NATIVE_RAW = `0:${'0'.repeat(64)}`
const ZERO_ADDRESS = /^0x0{40}$/
const RAW = /^(-?\d{1,3}):([0-9a-f]{64})$/i
/** The longest accepted text; a longer one is not decoded. */
const MAX_LETTERS = 72
const FRIENDLY_LETTERS = 48

/** Which addresses a network takes. */
export interface AddressRules {
  /** A test network takes addresses with and without the test flag, the main network only those without it. */
  readonly isTestnet: boolean
}

/** The account that a text names, or the reason why the text is refused. */
type Parsed = { readonly address: Address; readonly isTestOnly: boolean } | { readonly why: string }

const parse = (text: string): Parsed => {
  const raw = RAW.exec(text)
  if (raw !== null) {
    const [, workchain = '', hash = ''] = raw
    return { address: new Address(Number(workchain), Buffer.from(hash, 'hex')), isTestOnly: false }
  }
  if (text.length !== FRIENDLY_LETTERS || !Address.isFriendly(text)) return { why: whyNot(text) }
  try {
    return Address.parseFriendly(text)
  } catch {
    return { why: 'The address has a typing error: its checksum is wrong.' }
  }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (text.startsWith('ton://')) return 'This is a link. Enter the address alone.'
  if (/^0x[0-9a-f]*$/i.test(text)) return 'This is an address of an EVM chain, not of TON.'
  return 'A TON address has 48 characters (EQ… or UQ…), or is 0: and 64 hex digits.'
}

/**
 * Checks an address in any of its spellings: friendly in both alphabets, bounceable or not, or raw (chains.md tonvm 1). The canonical form
 * is the raw one in lower case.
 */
export const validateAddress = (text: string, { isTestnet }: AddressRules): AddressCheck => {
  const parsed: Parsed = text.length > MAX_LETTERS ? { why: whyNot(text) } : parse(text)
  if ('why' in parsed) return { ok: false, why: parsed.why }
  const { address, isTestOnly } = parsed
  if (address.workChain !== 0) return { ok: false, why: 'Only addresses of workchain 0 are supported.' }
  if (isTestOnly && !isTestnet) {
    return { ok: false, why: 'This is an address of a test network, and this chain is the main network.' }
  }
  return { ok: true, canonical: address.toRawString() }
}

/** Canonical id of a currency: `NATIVE`, or the raw address of a jetton's master; null for another text. */
export const normalizeCurrency = (text: string, rules: AddressRules): string | null => {
  if (ZERO_ADDRESS.test(text)) return NATIVE
  const checked = validateAddress(text, rules)
  if (!checked.ok) return null
  return checked.canonical === NATIVE_RAW ? NATIVE : checked.canonical
}
