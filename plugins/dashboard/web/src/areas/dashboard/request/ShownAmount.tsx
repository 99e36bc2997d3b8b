import { Amount } from '../../../components/values/Amount.js'
import { shortened } from '../../../components/values/Copyable.js'
import type { Money } from './memberRequest.js'

/** How a currency is called that may not be configured any more. */
export const unitOf = ({ symbol, decimals, currency }: Omit<Money, 'amount'>) => ({
  symbol: symbol ?? shortened(currency, 12),
  decimals: decimals ?? 0,
})

export const ShownAmount = ({ money }: { readonly money: Money }) => <Amount amount={money.amount} {...unitOf(money)} />
