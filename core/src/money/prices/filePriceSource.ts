import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../../clock/clock.js'
import type { Currency } from '../currency/currency.js'
import type { Usd } from '../usd.js'
import { parseUsd } from '../usdMath.js'
import { type IsListed, PriceNames } from './priceNames.js'
import type { Price, PriceSource } from './priceSource.js'

export interface FilePriceSourceDeps {
  readonly path: string
  readonly clock: Clock
  /** Which currencies may be found by group or symbol; default all. */
  readonly isListed?: IsListed
  /** Called once for each version of the file with the names whose value is no price above zero. */
  readonly onUnusable?: (names: readonly string[]) => void
}

const readPrices = (text: string, path: string): Readonly<Record<string, Usd>> => {
  const entries: unknown = JSON.parse(text)
  if (typeof entries !== 'object' || entries === null || Array.isArray(entries)) {
    throw new Error(`The price file ${path} must hold one JSON object`)
  }
  // A malformed price counts as zero, which CheckedPrices refuses: the currency is known, its price cannot be used.
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, parseUsd(value) ?? 0n]))
}

/**
 * Prices from a JSON file that the operator keeps: `{ "<chainId>:<address>" | "<groupId>" | "<symbol>": "1.23" }`, looked
 * up in that order. It is read again when it changes; a file that is there counts as observed now, so it never grows old.
 * Throws when the file is missing or is no JSON object.
 */
export class FilePriceSource implements PriceSource {
  readonly name: string
  readonly #deps: FilePriceSourceDeps
  readonly #isListed: IsListed
  #version = ''
  #prices: PriceNames<Usd>

  constructor(deps: FilePriceSourceDeps) {
    this.#deps = deps
    this.#isListed = deps.isListed ?? (() => true)
    this.#prices = new PriceNames({}, this.#isListed)
    this.name = 'file'
  }

  async getPrices(currencies: readonly Currency[]): Promise<readonly (Price | null)[]> {
    await this.#refresh()
    const observedAt = this.#deps.clock.now()
    return currencies.map((currency) => {
      const usd = this.#prices.find(currency)
      return usd === undefined ? null : { usd, observedAt }
    })
  }

  async #refresh(): Promise<void> {
    const { path } = this.#deps
    const { mtimeMs, size, ino } = await stat(path)
    const version = `${mtimeMs}:${size}:${ino}`
    if (version === this.#version) return
    const prices = readPrices(await readFile(path, 'utf8'), path)
    this.#prices = new PriceNames(prices, this.#isListed)
    this.#version = version
    const unusable = Object.keys(prices).filter((name) => (prices[name] ?? 0n) <= 0n)
    if (unusable.length > 0) this.#deps.onUnusable?.(unusable)
  }
}
