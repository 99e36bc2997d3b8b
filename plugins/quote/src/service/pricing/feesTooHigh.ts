import { type Currency, formatAmount, ServiceError } from '@causeway/core'
import type { FeeLine } from '@causeway/core/plugin'

const NAMES: Readonly<Record<FeeLine['bucket'], string>> = {
  gas: 'network',
  execution: 'service',
  swap: 'rebalancing',
  platform: 'platform',
  app: 'app',
  rent: 'rent',
}

export interface UncoveredFees {
  /** The deposited currency, in which the fees are. */
  readonly currency: Currency
  readonly lines: readonly FeeLine[]
  /** The least deposit that covers its fees; null where none does. */
  readonly least: bigint | null
}

/** `AMOUNT_TOO_LOW` of an amount that its fees eat, with each fee that the user bears and the least deposit. */
export const feesTooHigh = ({ currency, lines, least }: UncoveredFees): ServiceError => {
  const borne = new Map<string, bigint>()
  for (const { bucket, payer, money } of lines) {
    if (payer === 'user') borne.set(NAMES[bucket], (borne.get(NAMES[bucket]) ?? 0n) + money.amount)
  }
  const shown = (amount: bigint): string => `${formatAmount(amount, currency.decimals)} ${currency.symbol}`
  const fees = [...borne].filter(([, amount]) => amount !== 0n)
  const sum = fees.reduce((total, [, amount]) => total + amount, 0n)
  const parts = fees.map(([name, amount]) => `${name} ${formatAmount(amount, currency.decimals)}`).join(', ')
  const remedy = least === null ? '' : ` A deposit of ${shown(least)} or more covers them.`
  const message = `The amount does not cover the fees of this route, now ${shown(sum)} (${parts}).${remedy}`
  const named = Object.fromEntries(fees.map(([name, amount]) => [name, amount.toString()]))
  const leastAmount = least === null ? {} : { leastAmount: least.toString() }
  return new ServiceError('AMOUNT_TOO_LOW', message, { data: { errorData: { fees: named, ...leastAmount } } })
}
