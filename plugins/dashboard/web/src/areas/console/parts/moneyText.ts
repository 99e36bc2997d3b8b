import { shortText } from '../../../components/values/amountText.js'
import { symbolOf } from './Money.js'
import type { ShownMoney } from './shownMoney.js'

/** An amount within a sentence. */
export const moneyText = (money: ShownMoney): string =>
  `${shortText(BigInt(money.amount), money.decimals ?? 0)} ${symbolOf(money)}`
