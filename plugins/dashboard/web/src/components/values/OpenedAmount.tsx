import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.js'
import { exactText } from './amountText.js'
import { Copyable } from './Copyable.js'

export interface OpenedAmountProps {
  /** In smallest units, decimal text. */
  readonly amount: string
  readonly decimals: number
  readonly unit: string
  /** The amount as it stands in the page. */
  readonly children: ReactNode
}

/** An amount whose exact value is shown at first; a click shows it again. */
export const OpenedAmount = ({ amount, decimals, unit, children }: OpenedAmountProps) => {
  const exact = exactText(BigInt(amount), decimals)
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger className="amount">{children}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" sideOffset={6} collisionPadding={12} aria-label={texts.data.exact}>
          <div className="tight">
            <span className="small faint">{texts.data.exact}</span>
            <Copyable text={exact.replaceAll(',', '')} shown={`${exact} ${unit}`} what={texts.data.exact} />
            <span className="small faint">{texts.data.smallestUnits}</span>
            <Copyable text={amount} what={texts.data.smallestUnits} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
