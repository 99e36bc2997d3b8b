import { ServiceError } from '@causeway/core'
import type { FeeQuote, Payout, Simulation } from '@causeway/core/chain'
import { keptAnswers } from '@causeway/core/chain-kit'
import {
  configParseGasLimitsPrices,
  configParseMsgPrices,
  loadConfigParamsAsSlice,
} from '@ton/ton/dist/config/ConfigParser.js'
import { NATIVE } from '../address/addresses.js'
import { readCells, type TonPool } from '../rpc/tonApi.js'

/** How long a price counts. */
const PRICE_VALID_MS = 60_000
/** Parameters of the configuration of workchain 0: gas, and messages. */
const GAS_PRICES = 21
const MESSAGE_PRICES = 25
const FRACTION_BITS = 16n

/** Gas, messages, and bits and cells of their bodies. */
interface Usage {
  readonly gas: bigint
  readonly messages: bigint
  readonly bits: bigint
  readonly cells: bigint
}

/** Usages of each kind of payment, measured with the contracts of wallets v5r1 and jettons of TEP-74. */
const TRANSFER: Usage = { gas: 4939n, messages: 2n, bits: 2500n, cells: 6n }
const JETTON_TRANSFER: Usage = { gas: 20_000n, messages: 5n, bits: 9000n, cells: 25n }
/** The request of a deposit address's wallet: its gas and the message that it sends. */
const CARRIED: Usage = { gas: 8000n, messages: 1n, bits: 1500n, cells: 5n }
/** The wallet's code, in the message that carries the request. */
const CODE: Usage = { gas: 0n, messages: 0n, bits: 10_000n, cells: 45n }

/** Prices of the network: in nanotons a message of one cell, in 65536ths of a nanoton a unit of gas and each further bit and cell. */
interface Prices {
  readonly gas: bigint
  readonly message: bigint
  readonly bit: bigint
  readonly cell: bigint
}

const costOf = ({ gas, messages, bits, cells }: Usage, prices: Prices): bigint =>
  ((gas * prices.gas + bits * prices.bit + cells * prices.cell) >> FRACTION_BITS) + messages * prices.message + 1n

const readPrices = (config: string): Prices => {
  const params = loadConfigParamsAsSlice(config)
  const { gasPrice: gas } = configParseGasLimitsPrices(params.get(GAS_PRICES)).other
  const { lumpPrice: message, bitPrice: bit, cellPrice: cell } = configParseMsgPrices(params.get(MESSAGE_PRICES))
  return { gas, message, bit, cell }
}

/** Costs of deposits and payments by the prices of the network, which validators change now and then (chains.md tonvm 7). */
export class TonFees {
  readonly #prices: () => Promise<Prices>

  constructor(pool: TonPool) {
    this.#prices = keptAnswers(PRICE_VALID_MS, () =>
      pool.ask(async (api, signal) => {
        const config = await api.config(signal)
        return readCells(() => readPrices(config))
      }),
    )
  }

  /**
   * Nanotons that one payment really costs.
   * @param isCarried whether a deposit address pays by a request that the payment carries
   * @throws ServiceError when no node answers
   */
  async cost(currency: string, isCarried = false): Promise<bigint> {
    const prices = await this.#prices()
    const usages = [currency === NATIVE ? TRANSFER : JETTON_TRANSFER, ...(isCarried ? [CARRIED, CODE] : [])]
    return usages.reduce((sum, usage) => sum + costOf(usage, prices), 0n)
  }

  /** Nanotons that a message brings for the request which it carries; those of a transfer of jettons come on top. */
  async carriedFee(): Promise<bigint> {
    return costOf(CARRIED, await this.#prices())
  }

  async depositFee(currency: string): Promise<FeeQuote> {
    return quoteOf(await this.cost(currency))
  }

  /** The fee of the sweep of an address with a key of its own. */
  async sweepFee(currency: string): Promise<FeeQuote> {
    return quoteOf(await this.cost(currency, true))
  }

  /** The fee of a payment that was run; else of one of its kind. */
  async payoutFee({ money }: Payout, simulation?: Simulation): Promise<FeeQuote> {
    return simulation?.ok && simulation.gas > 0n ? quoteOf(simulation.gas) : this.depositFee(money.currency)
  }
}

const quoteOf = (amount: bigint): FeeQuote => ({ network: { currency: NATIVE, amount }, validForMs: PRICE_VALID_MS })

/** @throws ServiceError where the chain has no deposit addresses */
export const requireAddresses = <T>(sweeps: T | null): T => {
  if (sweeps !== null) return sweeps
  throw new ServiceError('SERVICE_UNAVAILABLE', 'This chain has no deposit addresses.')
}
