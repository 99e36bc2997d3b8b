import { divide } from '@causeway/core'
import { type AmountJson, formatUsd, type RecordParts } from '@causeway/core/plugin'
import type { CurrentPrices } from './currentPrices.js'

/** What a record is shown with beside its facts. */
export interface RecordView {
  readonly current: CurrentPrices
  /** The caller owns the request: nothing of it is withheld. */
  readonly owned: boolean
  /** Adds the owner's fields, to the owner. */
  readonly authenticated: boolean
  readonly orderData: boolean
}

/** `amountUsdCurrent` of an amount, where the currency has a price now (wire.md 0.3). */
export const currentUsd = (
  { currency, amount }: Pick<AmountJson, 'currency' | 'amount'>,
  { current }: Pick<RecordView, 'current'>,
): { readonly amountUsdCurrent?: string } => {
  const price = current(currency.chainId, currency.address)
  if (price === null) return {}
  return { amountUsdCurrent: formatUsd(divide(BigInt(amount) * price, 10n ** BigInt(currency.decimals), 'down')) }
}

/** The id of a currency as version 2 names it: its group, or where none is configured its address (wire.md K.5 1). */
export const currencyId = (
  { chainId, address }: AmountJson['currency'],
  { context: { currencies } }: Pick<RecordParts, 'context'>,
): string => {
  const native = currencies.native(chainId)
  const known = currencies.find(chainId, address) ?? (native?.address === address ? native : undefined)
  return known?.groupId ?? address
}
