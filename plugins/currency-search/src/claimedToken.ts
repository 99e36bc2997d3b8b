import { type Chain, memberOf, shownTokenText } from '@causeway/core/plugin'

/** How a source names and shows a token, cleaned. */
export interface TokenNames {
  readonly symbol: string
  readonly name: string
  /** An HTTPS URL, or empty. */
  readonly logoURI: string
}

/** A token as a source describes it, cleaned. Only the chain is believed about decimals. */
export interface ClaimedToken extends TokenNames {
  readonly chainId: number
  /** Canonical. */
  readonly address: string
  /** Null where the source states none. */
  readonly decimals: number | null
}

/** Members of an entry as the source sent them. */
export interface RawNames {
  readonly symbol: unknown
  readonly name: unknown
  readonly logoURI: unknown
}

/** `decimals` null: the source states none. */
export interface RawToken extends RawNames {
  readonly address: unknown
  readonly decimals: unknown
}

const MAX_ADDRESS = 256
const MAX_SYMBOL = 32
const MAX_NAME = 100
const MAX_LOGO = 512
const MAX_DECIMALS = 255

/** Reads an entry that an untrusted source states for `chain`; null if it describes no token of the chain. */
export const readClaim = ({ config, adapter }: Chain, raw: RawToken): ClaimedToken | null => {
  const { decimals } = raw
  const names = readNames(raw)
  const text = textOf(raw.address, MAX_ADDRESS)
  const address = text === null ? null : adapter.normalizeCurrency(text)
  // The name of the native currency is the operator's matter.
  if (names === null || address === null || address === adapter.native.address) return null
  if (decimals !== null && !isDecimals(decimals)) return null
  return { chainId: config.id, address, decimals, ...names }
}

/** Reads the names of an entry; null if it has no symbol to show. */
export const readNames = (raw: RawNames): TokenNames | null => {
  const symbol = typeof raw.symbol === 'string' ? shownTokenText(raw.symbol, MAX_SYMBOL) : null
  const name = typeof raw.name === 'string' ? shownTokenText(raw.name, MAX_NAME) : null
  return symbol === null ? null : { symbol, name: name ?? symbol, logoURI: readLogo(raw.logoURI) }
}

/** Own member of an entry that is a text of at most `most` characters, else null. */
export const textAt = (entry: unknown, member: string, most: number): string | null =>
  textOf(memberOf(entry, member), most)

const textOf = (value: unknown, most: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= most ? value : null

const isDecimals = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DECIMALS

/** An image URL that a page may load: HTTPS, no credentials, bounded. Others are dropped, not the token. */
const readLogo = (value: unknown): string => {
  const text = textOf(value, MAX_LOGO)
  if (text === null || !URL.canParse(text)) return ''
  const { protocol, username, password, href } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' && href.length <= MAX_LOGO ? href : ''
}
