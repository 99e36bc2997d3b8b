import { type CurrencyRegistry, formatAmount } from '@causeway/core'

/** An amount as the JSON output has it: smallest unit as decimal text, symbol and decimals where the currency is known. */
export interface ShownMoney {
  readonly chainId: number
  readonly currency: string
  readonly symbol: string | null
  readonly decimals: number | null
  readonly amount: string
}

/** Gives an amount its symbol. */
export const shown = (
  currencies: CurrencyRegistry,
  money: { readonly chainId: number; readonly currency: string; readonly amount: bigint },
): ShownMoney => {
  const { chainId, currency, amount } = money
  const native = currencies.native(chainId)
  const known = currencies.find(chainId, currency) ?? (native?.address === currency ? native : undefined)
  return {
    chainId,
    currency,
    symbol: known?.symbol ?? null,
    decimals: known?.decimals ?? null,
    amount: amount.toString(),
  }
}

/** `0.2 ETH`, or units of an address nobody configured. */
export const moneyText = ({ amount, symbol, decimals, currency }: ShownMoney): string =>
  symbol === null || decimals === null
    ? `${amount} units of ${currency}`
    : `${formatAmount(BigInt(amount), decimals).replace(/\.0$/, '')} ${symbol}`
