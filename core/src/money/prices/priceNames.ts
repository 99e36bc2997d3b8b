import type { Currency } from '../currency/currency.js'

/** Whether the configuration says what a currency is called; anybody can give a token the name of another. */
export type IsListed = (currency: Currency) => boolean

const isPlaceName = (key: string): boolean => /^([0-9]+:)?0x/i.test(key)

/** A key as an operator wrote it, with hex addresses in lower case. */
const writtenKey = (key: string): string => (isPlaceName(key) ? key.toLowerCase() : key)

/**
 * A table an operator keeps by `<chainId>:<address>`, group or symbol, looked up in that order. A currency that is not listed
 * is found by its address alone.
 */
export class PriceNames<Value> {
  readonly #values: ReadonlyMap<string, Value>
  readonly #isListed: IsListed

  constructor(values: Readonly<Record<string, Value>>, isListed: IsListed) {
    this.#values = new Map(Object.entries(values).map(([key, value]) => [writtenKey(key), value]))
    this.#isListed = isListed
  }

  find(currency: Currency): Value | undefined {
    const { chainId, address, groupId, symbol } = currency
    const values = this.#values
    const exact = values.get(writtenKey(`${chainId}:${address}`))
    if (exact !== undefined || !this.#isListed(currency)) return exact
    return values.get(groupId) ?? values.get(symbol)
  }
}
