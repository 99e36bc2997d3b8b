import type { Money } from '@causeway/core'
import { amountObject } from '@causeway/core/plugin'

/** An amount for people: `12.5 USDC`. */
export const moneyText = (money: Money): string => `${amountObject(money, 0n).amountFormatted} ${money.currency.symbol}`
