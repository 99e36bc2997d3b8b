import { heldAt } from './actions/transfer.js'
import { floatText, PERPS_DECIMALS } from './amounts.js'
import type { Update } from './exchangeTx.js'
import { addBalance, changeAccount, type Place, perpsOf, spotOf, type View } from './state.js'
import type { SpotToken, SpotTokens } from './tokens.js'

/** Perps USDC as the service names it (chains.md hypevm 1). */
export const NATIVE = `0x${'0'.repeat(32)}`

const TOKEN_ID_LENGTH = NATIVE.length

/** A currency of the service on the exchange. */
export interface Holding {
  readonly token: SpotToken
  readonly place: Place
  /** Units of the exchange in a unit of the service. */
  readonly scale: bigint
  /** Least amount, in units of the exchange. */
  readonly grain: bigint
}

/** Where the exchange keeps a currency. @throws Error for an unknown currency */
export const holdingOf = (currency: string | undefined, tokens: SpotTokens): Holding => {
  const { usdc } = tokens
  const grain = 10n ** BigInt(usdc.weiDecimals - PERPS_DECIMALS)
  const text = (currency ?? NATIVE).toLowerCase()
  if (/^0x(?:0{32}|0{40})$/.test(text)) return { token: usdc, place: perpsOf(''), scale: 1n, grain }
  const token = tokens.withId(text.slice(0, TOKEN_ID_LENGTH))
  if (token === undefined) throw new Error(`${currency} is not a token of this exchange`)
  const dex = Buffer.from(text.slice(TOKEN_ID_LENGTH), 'hex').toString('utf8')
  const scale = 10n ** BigInt(token.weiDecimals - token.szDecimals)
  return dex === ''
    ? { token, place: spotOf(token.tokenId), scale, grain: 1n }
    : { token, place: perpsOf(dex), scale, grain }
}

interface Funding {
  readonly address: string
  readonly amount: bigint
  readonly currency: string | undefined
}

/** Adds an amount to an account, which is opened. @throws Error for an amount that the exchange cannot hold */
export const fundingOf = (view: View, { address, amount, currency }: Funding, tokens: SpotTokens): Update => {
  const { token, place, scale, grain } = holdingOf(currency, tokens)
  const units = amount * scale
  if (units % grain !== 0n) throw new Error(`Perps balances have ${PERPS_DECIMALS} decimal places`)
  changeAccount(view, address)
  addBalance(view, address, heldAt(view, address, place, tokens), units)
  const text = floatText(units, token.weiDecimals)
  const isPerps = place.startsWith('perps:')
  const delta = isPerps ? { type: 'deposit', usdc: text } : { type: 'spotGenesis', token: token.name, amount: text }
  return { account: address, delta }
}
