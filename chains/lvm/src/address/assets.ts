import { NATIVE } from './addresses.js'

/** Decimal places of USDC; the fee of a transfer is in its smallest unit. */
export const USDC_DECIMALS = 6

/** Largest amount of a transfer: the step and the signer carry amounts as JSON numbers (chains.md lvm 10). */
export const MAX_AMOUNT = 2n ** 53n - 1n

/** Routes of a transfer: the perps account and the spot account. */
export const PERPS = 0
export const SPOT = 1

/** USDC as an asset of the exchange, for perps and spot alike. */
export const USDC_ASSET = 3

/** Indexes above it are not assigned. */
const MAX_ASSET = 62
const ASSET = /^[1-9]\d?$/
const ZERO_ADDRESS = /^0x0{40}$/i

/** A currency as transfers name it. */
export interface AssetRoute {
  readonly asset: number
  readonly route: number
}

/** Canonical currency id; NATIVE also for the zero address of EVM chains (wire.md K.1 10); null for other text. */
export const normalizeCurrency = (text: string): string | null => {
  if (text === NATIVE || ZERO_ADDRESS.test(text)) return NATIVE
  return ASSET.test(text) && Number(text) <= MAX_ASSET ? text : null
}

/** Asset and route of a canonical currency: perps USDC is asset 3 on route 0, each other currency is on route 1 (chains.md lvm 1). */
export const routeOf = (currency: string): AssetRoute =>
  currency === NATIVE ? { asset: USDC_ASSET, route: PERPS } : { asset: Number(currency), route: SPOT }

/** Currency of an asset on a route; null where the service has no currency for it. */
export const currencyOf = ({ asset, route }: AssetRoute): string | null => {
  if (route === SPOT) return normalizeCurrency(String(asset))
  return route === PERPS && asset === USDC_ASSET ? NATIVE : null
}
