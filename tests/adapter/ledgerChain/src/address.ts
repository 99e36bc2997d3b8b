import { createHash } from 'node:crypto'
import { type AddressCheck, type AddressCodec, OrderEncodingError } from '@causeway/core/chain'

const PREFIX = 'ldg'
const FORM = /^ldg([0-9a-f]{40})([0-9a-f]{8})$/

const checksumOf = (account: string): string =>
  createHash('sha256').update(`${PREFIX}:${account}`).digest('hex').slice(0, 8)

/** Text of an account or token of 20 bytes, given as hex digits. */
export const addressOf = (account: string): string => `${PREFIX}${account}${checksumOf(account)}`

/** Account of an ed25519 key: the first 20 bytes of its hash. */
export const addressOfKey = (publicKey: Uint8Array): string =>
  addressOf(createHash('sha256').update(publicKey).digest('hex').slice(0, 40))

/** The currency that fees are paid in. */
export const NATIVE = addressOf('0'.repeat(40))

/** The native currency where the configuration does not list it. */
export const COIN = { address: NATIVE, symbol: 'LDG', name: 'Ledger coin', decimals: 6 }

const ZERO = '0x0000000000000000000000000000000000000000'

/** One spelling only, lower case, with a checksum. */
export const validateAddress = (text: string): AddressCheck => {
  const [, account, checksum] = FORM.exec(text) ?? []
  if (account === undefined) return { ok: false, why: 'Expected "ldg" and 48 lower-case hex digits.' }
  if (checksum !== checksumOf(account)) return { ok: false, why: 'The checksum at the end of the address is wrong.' }
  return { ok: true, canonical: text }
}

/** The id of a currency; the zero address is the native one (wire.md K.1 10). */
export const normalizeCurrency = (text: string): string | null => {
  if (text === ZERO) return NATIVE
  return validateAddress(text).ok ? text : null
}

/** Bytes of accounts and tokens in order ids: the 20 bytes without the checksum. */
export const ledgerCodec: AddressCodec = {
  encode: (text) => {
    const result = validateAddress(text)
    if (!result.ok) throw new OrderEncodingError(`Ledger address: ${result.why}`)
    return Uint8Array.from(Buffer.from(text.slice(PREFIX.length, PREFIX.length + 40), 'hex'))
  },
  decode: (bytes) => {
    if (bytes.length !== 20) throw new OrderEncodingError('Ledger address: must have 20 bytes')
    return addressOf(Buffer.from(bytes).toString('hex'))
  },
}
