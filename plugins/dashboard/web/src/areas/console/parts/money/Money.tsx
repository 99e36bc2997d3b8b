import { Amount } from '../../../../components/values/Amount.js'
import { exactText } from '../../../../components/values/amountText.js'
import { Copyable, shortened } from '../../../../components/values/Copyable.js'
import { WholeText } from '../../../../components/values/WholeText.js'
import { consoleTexts } from '../../../../texts/consoleTexts.js'
import { texts } from '../../../../texts/texts.js'
import { useChainName } from '../useChains.js'
import type { ShownCurrency, ShownMoney } from './shownMoney.js'

const words = consoleTexts.parts

export const symbolOf = ({ symbol, currency }: ShownCurrency): string =>
  symbol ?? words.unitsOf(shortened(currency, 12))

/** An amount of a command's answer with every digit; of an unknown currency in smallest units. */
export const Money = ({ money, usd }: { readonly money: ShownMoney; readonly usd?: string | null }) => (
  <Amount
    amount={money.amount}
    decimals={money.decimals ?? 0}
    symbol={symbolOf(money)}
    whole
    {...(usd === undefined ? {} : { usd })}
  />
)

/** The number alone, where the row says the currency. */
export const BareMoney = ({ money }: { readonly money: ShownMoney }) =>
  BigInt(money.amount) === 0n ? (
    <span className="faint">{texts.data.none}</span>
  ) : (
    <Amount amount={money.amount} decimals={money.decimals ?? 0} symbol="" whole />
  )

/** The same with a button that copies the number. */
export const CopyableMoney = ({ money }: { readonly money: ShownMoney }) => {
  const exact = exactText(BigInt(money.amount), money.decimals ?? 0)
  const shown = (
    <>
      <WholeText text={exact} /> {symbolOf(money)}
    </>
  )
  return <Copyable text={exact.replaceAll(',', '')} shown={shown} what={texts.data.exact} whole />
}

/** `0.2 ETH` and the chain that it is on. */
export const MoneyOn = ({ money }: { readonly money: ShownMoney }) => (
  <span className="wrap money-on">
    <Money money={money} /> <span className="soft">{useChainName()(money.chainId)}</span>
  </span>
)

/** The same, or a dash where there is nothing: zeros hide what matters. */
export const MoneyOrDash = ({ money }: { readonly money: ShownMoney }) =>
  BigInt(money.amount) === 0n ? <span className="faint">{texts.data.none}</span> : <Money money={money} />
