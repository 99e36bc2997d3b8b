/** Route of a balance: the collateral of perpetuals, or the spot wallet. */
export const PERPS = 0
export const SPOT = 1

export const USDC = 3

/** An asset as the exchange lists it. */
export interface Asset {
  readonly id: number
  readonly symbol: string
  readonly decimals: number
}

/** A balance that a currency of the API names. */
export interface Place {
  readonly asset: number
  readonly route: number
}

/** Largest asset index of a transfer. */
const MOST_ASSETS = 62
const ZERO = /^0x0{40}$/

/** Assets that can be transferred. */
export class Assets {
  readonly #all: Asset[] = [
    { id: 1, symbol: 'ETH', decimals: 8 },
    { id: USDC, symbol: 'USDC', decimals: 6 },
  ]

  get all(): readonly Asset[] {
    return this.#all
  }

  find(id: number): Asset | undefined {
    return this.#all.find((asset) => asset.id === id)
  }

  /** Lists a spot asset, unless one with the symbol is listed. Returns the listed one. */
  list(symbol: string, decimals: number): Asset {
    const known = this.#all.find((asset) => asset.symbol === symbol)
    if (known !== undefined) return known
    const id = Math.max(...this.#all.map((asset) => asset.id)) + 1
    if (id > MOST_ASSETS) throw new Error('The exchange can list no other asset')
    const asset = { id, symbol, decimals }
    this.#all.push(asset)
    return asset
  }

  /** The balance of a currency: `0` is USDC on perps, any other index is spot. @throws Error for an unknown one */
  placeOf(currency: string): Place {
    if (currency === '0' || ZERO.test(currency)) return { asset: USDC, route: PERPS }
    const asset = /^[1-9]\d?$/.test(currency) ? this.find(Number(currency)) : undefined
    if (asset === undefined) throw new Error(`${currency} is no currency of this exchange`)
    return { asset: asset.id, route: SPOT }
  }
}
