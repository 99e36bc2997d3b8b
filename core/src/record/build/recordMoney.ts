import type { AmountJson, CurrencyJson } from '../../http/openapi/sharedSchemas.js'
import { formatAmount } from '../../money/amount.js'
import { currencyJson } from '../../money/amountObject.js'
import { divide } from '../../money/rounding.js'
import type { Usd } from '../../money/usd.js'
import { formatUsd, parseUsd, roundUsd } from '../../money/usdMath.js'
import type { RecordFacts } from '../recordFacts.js'
import { quotedAmount } from './quotedFacts.js'
import type { RecordContext } from './recordContext.js'

const PRICED = [
  // Where calls spend of the output, the rest may be little or nothing, and no price.
  'wholeOutput',
  ...['currencyIn', 'currencyOut', 'refundCurrency', 'currencyGasTopup'].map((name) => `details.${name}`),
  ...['origin', 'destination'].flatMap((side) =>
    ['inputCurrency', 'outputCurrency'].map((name) => `details.route.${side}.${name}`),
  ),
  ...['gas', 'relayer', 'relayerGas', 'relayerService', 'app', 'subsidized'].map((name) => `fees.${name}`),
]

interface Priced {
  readonly currency: CurrencyJson
  readonly amount: bigint
  readonly usd: Usd
}

const keyOf = (chainId: number, currency: string): string => `${chainId}:${currency}`

/** A currency that neither the quote nor the configuration knows: its smallest unit is all there is to show. */
const unknownCurrency = (chainId: number, address: string, vmType: string | undefined): CurrencyJson => ({
  chainId,
  address,
  symbol: '',
  name: '',
  decimals: 0,
  ...(vmType === undefined ? {} : { vmType }),
  metadata: { logoURI: '', verified: false, isNative: false },
})

/** Amounts of one record, valued at the prices of its quote: what really moved compares with what was promised. */
export class RecordMoney {
  readonly #priced = new Map<string, Priced[]>()
  readonly #context: RecordContext

  constructor(facts: RecordFacts, context: RecordContext) {
    this.#context = context
    for (const path of PRICED) this.#learn(quotedAmount(facts, path))
  }

  #learn(quoted: AmountJson | null): void {
    const usd = parseUsd(quoted?.amountUsd)
    if (quoted === null || usd === null) return
    const { currency, amount } = quoted
    const key = keyOf(currency.chainId, currency.address)
    this.#priced.set(key, [...(this.#priced.get(key) ?? []), { currency, amount: BigInt(amount), usd }])
  }

  currency(chainId: number, address: string): CurrencyJson {
    const quoted = this.#priced.get(keyOf(chainId, address))?.[0]
    if (quoted !== undefined) return quoted.currency
    const { currencies, chains } = this.#context
    const native = currencies.native(chainId)
    const known = currencies.find(chainId, address) ?? (native?.address === address ? native : undefined)
    return known === undefined
      ? unknownCurrency(chainId, address, chains.find(chainId)?.adapter.vmType)
      : currencyJson(known)
  }

  /** Dollars at the quoted price; null where the quote priced no such currency. */
  usd(chainId: number, address: string, amount: bigint): Usd | null {
    const quoted = this.#priced.get(keyOf(chainId, address)) ?? []
    const same = quoted.find((one) => one.amount === amount)
    if (same !== undefined) return same.usd
    const base = largest(quoted)
    return base === undefined ? null : roundUsd(divide(base.usd * amount, base.amount, 'down'))
  }

  /** Smallest units that dollars buy at the quoted price; null where there is none. */
  worth(chainId: number, address: string, usd: Usd): bigint | null {
    const base = largest(this.#priced.get(keyOf(chainId, address)) ?? [])
    return base === undefined || base.usd <= 0n ? null : divide(usd * base.amount, base.usd, 'up')
  }

  /** AMOUNT (wire.md 0.3); without a quoted price it is worth nothing that could be told. */
  amount(chainId: number, address: string, amount: bigint): AmountJson {
    const currency = this.currency(chainId, address)
    return {
      currency,
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, currency.decimals),
      amountUsd: formatUsd(this.usd(chainId, address, amount) ?? 0n),
      minimumAmount: amount.toString(),
    }
  }
}

/** The quoted amount with the most digits of its price. */
const largest = (quoted: readonly Priced[]): Priced | undefined =>
  quoted.reduce<Priced | undefined>((best, one) => (one.amount > (best?.amount ?? 0n) ? one : best), undefined)
