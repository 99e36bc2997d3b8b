import { larger, ServiceError } from '@causeway/core'
import { strangeAnswer } from '@causeway/core/chain-kit'
import { type Cell, Dictionary, type Slice } from '@ton/core'
import type { TonPool } from '../rpc/tonApi.js'

/** How long a price counts. */
export const PRICE_VALID_MS = 60_000

/** Parameters of the configuration of workchain 0: gas, and messages. */
const GAS_PRICES = 21
const MESSAGE_PRICES = 25
const [GAS_FLAT, GAS_PRICES_TAG, GAS_EXTENDED_TAG] = [0xd1, 0xdd, 0xde]
const MESSAGE_TAG = 0xea
const FRACTION_BITS = 16n

/** Prices of the network in nanotons. */
export interface NetworkPrices {
  /** In 65536ths of a nanoton for a unit of gas. */
  readonly gas: bigint
  /** A message of one cell; each bit and each further cell in 65536ths. */
  readonly message: bigint
  readonly bit: bigint
  readonly cell: bigint
}

/** Gas limit of a transaction in workchain 0, by the whole configuration. @throws ServiceError RPC_HTTP_ERROR for another form */
export const mostGas = (config: Cell): bigint => {
  const gas = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config).get(GAS_PRICES)
  if (gas === undefined) throw strangeAnswer('a configuration without gas prices')
  const slice = gas.beginParse()
  gasPriceIn(slice)
  return larger(slice.loadUintBig(64), slice.loadUintBig(64))
}

const gasPriceIn = (slice: Slice): bigint => {
  const tag = slice.loadUint(8)
  // Flat limit and flat price come first, for transactions of little gas.
  if (tag === GAS_FLAT) return gasPriceIn(slice.skip(128))
  if (tag !== GAS_PRICES_TAG && tag !== GAS_EXTENDED_TAG) throw strangeAnswer('gas prices of another form')
  return slice.loadUintBig(64)
}

const readPrices = (gas: Cell, messages: Cell): NetworkPrices => {
  const slice = messages.beginParse()
  if (slice.loadUint(8) !== MESSAGE_TAG) throw strangeAnswer('message prices of another form')
  const [message, bit, cell] = [slice.loadUintBig(64), slice.loadUintBig(64), slice.loadUintBig(64)]
  return { gas: gasPriceIn(gas.beginParse()), message, bit, cell }
}

/** Resources of a kind of payment: units of gas, messages, bits and cells of their bodies. */
export interface Usage {
  readonly gas: bigint
  readonly messages: bigint
  readonly bits: bigint
  readonly cells: bigint
}

export const costOf = ({ gas, messages, bits, cells }: Usage, prices: NetworkPrices): bigint =>
  ((gas * prices.gas + bits * prices.bit + cells * prices.cell) >> FRACTION_BITS) + messages * prices.message + 1n

/** Prices by the configuration of the network, which validators change now and then. */
export class PriceSource {
  #kept: { readonly prices: Promise<NetworkPrices>; readonly until: number } | null = null

  constructor(readonly pool: TonPool) {}

  /** @throws ServiceError when no node answers */
  prices(): Promise<NetworkPrices> {
    if (this.#kept !== null && performance.now() < this.#kept.until) return this.#kept.prices
    const prices = this.#read()
    const kept = { prices, until: performance.now() + PRICE_VALID_MS }
    this.#kept = kept
    prices.catch(() => {
      if (this.#kept === kept) this.#kept = null
    })
    return prices
  }

  #read(): Promise<NetworkPrices> {
    return this.pool.ask(async (api, signal) => {
      const [gas, messages] = await Promise.all([api.config(GAS_PRICES, signal), api.config(MESSAGE_PRICES, signal)])
      try {
        return readPrices(gas, messages)
      } catch (error) {
        if (ServiceError.is(error)) throw error
        throw strangeAnswer('prices that cannot be read')
      }
    })
  }
}
