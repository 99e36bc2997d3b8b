import { formatAmount } from '@causeway/core'
import { USD_DECIMALS, type Usd } from '@causeway/core/plugin'

/** Dollars as decimal text with every digit that counts: `2000.0`, `0.00000025`. */
export const priceText = (usd: Usd): string => formatAmount(usd, USD_DECIMALS)
