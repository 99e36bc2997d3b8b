import type { AddressCheck, ChainMoney } from '@causeway/core/chain'
import { isMisspelled } from '@causeway/core/chain-kit'

/** Decimal places of the native currency, perps USDC, in the service; the exchange has six (chains.md hypevm 1). */
export const USDC_DECIMALS = 8

/** Decimal places of balances in perpetuals exchanges. */
export const PERPS_PLACES = 6

/** One USDC in the service's smallest unit. */
export const USDC = 10n ** BigInt(USDC_DECIMALS)

/** Largest amount that the ledger can hold: an unsigned integer of 64 bits. */
export const MAX_AMOUNT = 2n ** 64n - 1n

/** Marker of perps USDC: 16 zero bytes. No account has so few. */
export const NATIVE = `0x${'0'.repeat(32)}`

/** Named as user or recipient while no wallet is connected (wire.md 0.5). */
export const PLACEHOLDERS: readonly string[] = ['0x000000000000000000000000000000000000dead']

const ACCOUNT = /^0x[0-9a-f]{40}$/i
const ZERO_ACCOUNT = /^0x0{40}$/
/** A token id, and the name of a builder's exchange in hex. */
const CURRENCY = /^0x([0-9a-f]{32})((?:[0-9a-f]{2}){0,16})$/
const DEX_NAME = /^[!-~]+$/
/** The spot exchange, as actions name it. */
export const SPOT = 'spot'
/** The exchange's own perpetuals, as actions name them. */
export const PERPS = ''

/** Canonical form of an account: lower case. The zero address is the marker of the native currency (chains.md hypevm 1). */
export const validateAddress = (text: string): AddressCheck => {
  if (ZERO_ACCOUNT.test(text) || text === NATIVE) return { ok: true, canonical: NATIVE }
  if (!ACCOUNT.test(text)) return { ok: false, why: whyNot(text) }
  if (isMisspelled(text.slice(2)))
    return { ok: false, why: 'The address has a typing error: its capital letters are wrong.' }
  return { ok: true, canonical: text.toLowerCase() }
}

const whyNot = (text: string): string => {
  if (text === '') return 'The address is empty.'
  if (/^(bc1|tb1|bcrt1|T[1-9A-HJ-NP-Za-km-z]{33}$|r[1-9A-HJ-NP-Za-km-z]{24,34}$|0\.0\.)/.test(text))
    return 'This is an address of another network, not of Hyperliquid.'
  return 'An account of Hyperliquid is 0x and 40 hex digits.'
}

/** Where a currency lies: a token in one of the exchanges of Hyperliquid. */
export interface CurrencyId {
  /** Null: USDC. */
  readonly tokenId: string | null
  /** `''` for perps, `spot`, or the name of a builder's exchange. */
  readonly dex: string
}

/**
 * Canonical id of a currency: NATIVE, a token id of 16 bytes for the spot exchange, or a token id and the name of a builder's exchange in hex.
 * The zero address of 20 bytes is NATIVE (wire.md K.1 10); null for other text.
 */
export const normalizeCurrency = (text: string): string | null => {
  const lower = text.toLowerCase()
  if (ZERO_ACCOUNT.test(lower)) return NATIVE
  return currencyIn(lower) === null ? null : lower
}

const currencyIn = (text: string): CurrencyId | null => {
  if (text === NATIVE) return { tokenId: null, dex: PERPS }
  const [, id, name = ''] = CURRENCY.exec(text) ?? []
  if (id === undefined) return null
  if (name === '') return { tokenId: `0x${id}`, dex: SPOT }
  const dex = Buffer.from(name, 'hex').toString('latin1')
  return DEX_NAME.test(dex) && dex !== SPOT ? { tokenId: `0x${id}`, dex } : null
}

/** @throws Error for text that `normalizeCurrency` does not return: a programming error */
export const readCurrency = (currency: string): CurrencyId => {
  const read = currencyIn(currency)
  if (read === null) throw new Error('The currency is not canonical.')
  return read
}

/** The currency of a token in one of the exchanges; null where no id can name it. */
export const currencyOf = (tokenId: string, dex: string, spotUsdc: string): string | null => {
  if (dex === PERPS) return tokenId === spotUsdc ? NATIVE : null
  if (dex === SPOT) return tokenId
  return normalizeCurrency(`${tokenId}${Buffer.from(dex, 'latin1').toString('hex')}`)
}

/** Makes `ChainAdapter.payable`: perpetuals exchanges count in millionths. @param decimalsOf - of a configured currency; null: not known */
export const payableBy =
  (decimalsOf: (currency: string) => number | null) =>
  ({ currency, amount }: ChainMoney): bigint => {
    if (readCurrency(currency).dex === SPOT) return amount
    const spare = (currency === NATIVE ? USDC_DECIMALS : (decimalsOf(currency) ?? PERPS_PLACES)) - PERPS_PLACES
    return spare > 0 ? amount - (amount % 10n ** BigInt(spare)) : amount
  }
