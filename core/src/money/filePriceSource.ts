import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../clock/clock.js'
import type { Currency } from './currency.js'
import type { Price, PriceSource } from './priceSource.js'
import type { Usd } from './usd.js'
import { parseUsd } from './usdMath.js'

export interface FilePriceSourceDeps {
  readonly path: string
  readonly clock: Clock
}

const lookupKey = (key: string): string => (/^([0-9]+:)?0x/i.test(key) ? key.toLowerCase() : key)

const readPrices = (text: string, path: string): ReadonlyMap<string, Usd> => {
  const entries: unknown = JSON.parse(text)
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) {
    throw new Error(`The price file ${path} must hold one JSON object`)
  }
  // A malformed price counts as zero, which CheckedPrices refuses: the currency is known, its price cannot be used.
  return new Map(Object.entries(entries).map(([key, value]) => [lookupKey(key), parseUsd(value) ?? 0n]))
}

/**
 * Prices from a JSON file that the operator keeps: `{ "<chainId>:<address>" | "<groupId>" | "<symbol>": "1.23" }`, looked
 * up in that order. It is read again when it changes; a file that is there counts as observed now, so it never grows old.
 * Throws when the file is missing or is no JSON object.
 */
export class FilePriceSource implements PriceSource {
  readonly name: string
  readonly #deps: FilePriceSourceDeps
  #version = ''
  #prices: ReadonlyMap<string, Usd> = new Map()

  constructor(deps: FilePriceSourceDeps) {
    this.#deps = deps
    this.name = 'file'
  }

  async getPrices(currencies: readonly Currency[]): Promise<readonly (Price | null)[]> {
    await this.#refresh()
    const observedAt = this.#deps.clock.now()
    return currencies.map((currency) => {
      const usd = this.#find(currency)
      return usd === undefined ? null : { usd, observedAt }
    })
  }

  #find({ chainId, address, groupId, symbol }: Currency): Usd | undefined {
    const prices = this.#prices
    return prices.get(lookupKey(`${chainId}:${address}`)) ?? prices.get(groupId) ?? prices.get(symbol)
  }

  async #refresh(): Promise<void> {
    const { path } = this.#deps
    const { mtimeMs, size, ino } = await stat(path)
    const version = `${mtimeMs}:${size}:${ino}`
    if (version === this.#version) return
    this.#prices = readPrices(await readFile(path, 'utf8'), path)
    this.#version = version
  }
}
