import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { texts } from '../../texts/texts.js'
import { exactText } from './amountText.js'
import { Copyable } from './Copyable.js'
import { WholeText } from './WholeText.js'

export interface OpenedAmountProps {
  /** In smallest units, decimal text. */
  readonly amount: string
  readonly decimals: number
  readonly unit: string
  readonly whole: boolean
  /** The amount as it stands in the page. */
  readonly children: ReactNode
}

/** An amount whose exact value is shown at first; a click shows it again. */
export const OpenedAmount = ({ amount, decimals, unit, whole, children }: OpenedAmountProps) => {
  const exact = exactText(BigInt(amount), decimals)
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger className="amount" data-whole={whole}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover" sideOffset={6} collisionPadding={12} aria-label={texts.data.exact}>
          <div className="tight">
            <span className="small faint">{texts.data.exact}</span>
            <Copyable
              text={exact.replaceAll(',', '')}
              shown={
                <>
                  <WholeText text={exact} /> {unit}
                </>
              }
              what={texts.data.exact}
              whole
            />
            <span className="small faint">{texts.data.smallestUnits}</span>
            <Copyable text={amount} what={texts.data.smallestUnits} whole />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
