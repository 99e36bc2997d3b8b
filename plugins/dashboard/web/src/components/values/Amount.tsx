import { Popover } from 'radix-ui'
import { texts } from '../../texts/texts.js'
import { exactText, shortText, usdText } from './amountText.js'
import { Copyable } from './Copyable.js'

export interface AmountProps {
  /** In smallest units, decimal text. */
  readonly amount: string
  readonly decimals: number
  readonly symbol: string
  readonly usd?: string | null
}

/** Money as people read it; the exact value is a click away. */
export const Amount = ({ amount, decimals, symbol, usd = null }: AmountProps) => {
  const value = BigInt(amount)
  const unit = symbol.slice(0, 24)
  return (
    <Popover.Root>
      <Popover.Trigger className="amount">
        {shortText(value, decimals)} <span className="unit">{unit}</span>
        {usd !== null && <span className="unit"> · {usdText(usd)}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" sideOffset={6} collisionPadding={12} aria-label={texts.data.exact}>
          <div className="tight">
            <span className="small faint">{texts.data.exact}</span>
            <Copyable
              text={exactText(value, decimals).replaceAll(',', '')}
              shown={`${exactText(value, decimals)} ${unit}`}
              what={texts.data.exact}
            />
            <span className="small faint">{texts.data.smallestUnits}</span>
            <Copyable text={amount} what={texts.data.smallestUnits} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
