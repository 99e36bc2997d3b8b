import { exactText } from '../../../../components/values/amountText.js'
import { symbolOf } from './Money.js'
import type { ShownMoney } from './shownMoney.js'

/** An amount within a sentence, with every digit. */
export const moneyText = (money: ShownMoney): string =>
  `${exactText(BigInt(money.amount), money.decimals ?? 0)} ${symbolOf(money)}`
