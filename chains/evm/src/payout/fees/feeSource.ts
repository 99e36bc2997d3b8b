import { BoundedCache, type Clock, larger, smaller } from '@causeway/core'
import { type JsonRpcClient, resultOf } from '@causeway/core/chain-kit'
import type { EvmSettings } from '../../options.js'
import { wordOf } from '../../rpc/answers.js'
import type { HeadSource } from '../../rpc/headSource.js'
import { isRevert } from '../../rpc/rpcErrors.js'
import { L1_FEE_ORACLE, l1FeeCall, operatorFeeCall } from './l1FeeOracle.js'

/** Fee level of the chain now, wei for one gas. */
export interface FeeLevel {
  readonly baseFee: bigint
  /** Tip (EIP-1559). */
  readonly maxPriorityFeePerGas: bigint
  /** Most to offer: twice the base fee plus the tip, capped by configuration. For legacy chains the gas price. */
  readonly maxFeePerGas: bigint
  /** What one gas is expected to cost when included soon. */
  readonly expected: bigint
}

/** Operator fee of a transaction on an OP Stack chain, wei. */
interface OperatorFee {
  readonly constant: bigint
  /** For a million gas. */
  readonly perMillion: bigint
}

const GWEI = 1_000_000_000n
const MOST_NAMED = 1_000n
const MILLION = 1_000_000n
const TIP_AGE_MS = 10_000
const MAX_LENGTHS = 1_000
const BACKGROUND_AGE_MS = 1000
/** A minimum that a refusal named is asked for again by another refusal after this. */
const REQUIRED_TIP_AGE_MS = 3_600_000

export interface FeeSourceDeps {
  readonly rpc: JsonRpcClient
  readonly heads: HeadSource
  readonly settings: EvmSettings
  readonly clock: Clock
}

/**
 * Fee data without a call per payout: the base fee comes with each head, the tip is asked at most once a second in
 * the background and at most every ten seconds in the foreground.
 */
export class FeeSource {
  readonly #deps: FeeSourceDeps
  #price: bigint | null = null
  #priceAt = Number.NEGATIVE_INFINITY
  #asking: Promise<bigint> | null = null
  #required = { tip: 0n, at: Number.NEGATIVE_INFINITY }
  /** Data fees by the length of a transaction. */
  readonly #dataFees: BoundedCache<bigint>
  readonly #operatorFees: BoundedCache<OperatorFee>

  constructor(deps: FeeSourceDeps) {
    this.#deps = deps
    const kept = { clock: deps.clock, maxEntries: MAX_LENGTHS, lifeOf: () => TIP_AGE_MS }
    this.#dataFees = new BoundedCache(kept)
    this.#operatorFees = new BoundedCache(kept)
  }

  /** Refreshes the tip at each head, so that nobody waits for it. */
  follow(signal: AbortSignal): void {
    this.#deps.heads.onHead(() => {
      if (performance.now() - this.#priceAt >= BACKGROUND_AGE_MS) this.#ask().catch(() => undefined)
    }, signal)
  }

  async current(): Promise<FeeLevel> {
    const stale = this.#price === null || performance.now() - this.#priceAt > TIP_AGE_MS
    const [head, asked] = await Promise.all([
      this.#deps.heads.tip(),
      stale ? this.#ask() : Promise.resolve(this.#price ?? 0n),
    ])
    const price = larger(asked, this.#leastTip(larger(asked, head.baseFee ?? 0n)))
    const cap = this.#deps.settings.maxFeePerGasCap
    if (this.#deps.settings.feeMode === 'legacy') {
      const gasPrice = capped(larger((asked * 11n) / 10n, price), cap)
      return { baseFee: 0n, maxPriorityFeePerGas: gasPrice, maxFeePerGas: gasPrice, expected: price }
    }
    const baseFee = head.baseFee ?? 0n
    const maxFeePerGas = capped(2n * baseFee + price, cap)
    const tip = smaller(price, maxFeePerGas)
    return { baseFee, maxPriorityFeePerGas: tip, maxFeePerGas, expected: (baseFee * 9n) / 8n + price }
  }

  /**
   * Offers at least this tip (wei for one gas) for the next hour: a node named it when it refused less. `maxFeePerGasCap` bounds it as it
   * bounds the price that nodes suggest.
   */
  requireTip(tip: bigint): void {
    this.#required = { tip: larger(tip, this.#freshRequired()), at: performance.now() }
  }

  /** Fees of a rollup beside that of its gas, wei: for `bytes` of data on the parent chain, and of its operator; 0 where there is none. */
  async rollupFee(bytes: number, gas: bigint): Promise<bigint> {
    if (this.#deps.settings.l1DataFee === 'none') return 0n
    const [data, { constant, perMillion }] = await Promise.all([
      this.#dataFees.get(`${bytes}`, () => this.#dataFee(bytes)),
      this.#operatorFees.get('now', () => this.#operatorFee()),
    ])
    return data + constant + (perMillion * gas + MILLION - 1n) / MILLION
  }

  #dataFee(bytes: number): Promise<bigint> {
    return this.#deps.rpc.call('eth_call', [{ to: L1_FEE_ORACLE, data: l1FeeCall(bytes) }, 'latest'], wordOf)
  }

  /** Linear in the gas by every formula so far (Isthmus, Jovian): two answers tell it. A revert: the chain has none yet. */
  async #operatorFee(): Promise<OperatorFee> {
    const outcomes = await this.#deps.rpc.batch(
      [0, Number(MILLION)].map((gas) => ({
        method: 'eth_call',
        params: [{ to: L1_FEE_ORACLE, data: operatorFeeCall(gas) }, 'latest'],
      })),
    )
    const [constant = 0n, ofMillion = 0n] = outcomes.map((outcome) =>
      !outcome.ok && isRevert(outcome.error) ? 0n : wordOf(resultOf(outcome, 'eth_call')),
    )
    return { constant, perMillion: ofMillion - constant }
  }

  /** A minimum that a node names counts up to a thousand times the present level. */
  #leastTip(level: bigint): bigint {
    const named = smaller(this.#freshRequired(), MOST_NAMED * larger(level, GWEI))
    return larger(this.#deps.settings.minPriorityFee, named)
  }

  #freshRequired(): bigint {
    const { tip, at } = this.#required
    return performance.now() - at < REQUIRED_TIP_AGE_MS ? tip : 0n
  }

  #ask(): Promise<bigint> {
    this.#asking ??= this.#read().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #read(): Promise<bigint> {
    const { rpc, settings, heads } = this.#deps
    const legacy = settings.feeMode === 'legacy'
    const [outcome] = await rpc.batch([{ method: legacy ? 'eth_gasPrice' : 'eth_maxPriorityFeePerGas', params: [] }])
    let price: bigint
    if (outcome?.ok) {
      price = BigInt(String(outcome.result))
    } else if (legacy) {
      price = BigInt(resultOf<string>(outcome, 'eth_gasPrice'))
    } else {
      const gasPrice = BigInt(await rpc.call<string>('eth_gasPrice', []))
      const base = heads.latest?.baseFee ?? 0n
      price = gasPrice > base ? gasPrice - base : 1n
    }
    this.#price = price
    this.#priceAt = performance.now()
    return price
  }
}

const capped = (value: bigint, cap: bigint | null): bigint => (cap === null ? value : smaller(value, cap))
