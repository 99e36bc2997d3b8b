import { lazy, Suspense, useState } from 'react'
import { exactText, shortText, usdText } from './amountText.js'
import { WholeText } from './WholeText.js'

export interface AmountProps {
  /** In smallest units, decimal text. */
  readonly amount: string
  readonly decimals: number
  readonly symbol: string
  readonly usd?: string | null
  /** Shows every digit, on as many lines as needed; default: the first significant digits. */
  readonly whole?: boolean
}

const OpenedAmount = lazy(async () => ({ default: (await import('./OpenedAmount.js')).OpenedAmount }))

/** Money as people read it; the exact value is a click away. Long lists have many, so each is one button until then. */
export const Amount = ({ amount, decimals, symbol, usd = null, whole = false }: AmountProps) => {
  const [wasOpened, setOpened] = useState(false)
  const unit = symbol.slice(0, 24)
  const short = (
    <>
      {whole ? <WholeText text={exactText(BigInt(amount), decimals)} /> : shortText(BigInt(amount), decimals)}{' '}
      <span className="unit">{unit}</span>
      {usd !== null && <span className="unit"> · {usdText(usd)}</span>}
    </>
  )
  const closed = (
    <button
      type="button"
      className="amount"
      data-whole={whole}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setOpened(true)}
    >
      {short}
    </button>
  )
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <OpenedAmount amount={amount} decimals={decimals} unit={unit} whole={whole}>
        {short}
      </OpenedAmount>
    </Suspense>
  )
}
