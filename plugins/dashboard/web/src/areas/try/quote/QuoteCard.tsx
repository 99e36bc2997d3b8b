import { useEffect, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.js'
import { Skeleton } from '../../../components/feedback/States.js'
import { Amount } from '../../../components/values/Amount.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Json } from '../../../components/values/Json.js'
import { durationText } from '../../../components/values/Time.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import { CostLines } from './CostLines.js'
import { type Quote, type QuoteAmount, REFRESH_MS } from './quote.js'

const words = tryTexts.quote

export interface QuoteCardProps {
  readonly hasBody: boolean
  readonly quote: Quote | undefined
  readonly error: unknown
  /** Whether it is of what is chosen now. */
  readonly isCurrent: boolean
  readonly isPaying: boolean
  readonly askedAt: number
}

/** Whole seconds until the next price. */
const useSecondsLeft = (askedAt: number): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((askedAt + REFRESH_MS - Math.max(now, askedAt)) / 1_000))
}

const Freshness = ({ askedAt, isCurrent, isPaying }: Pick<QuoteCardProps, 'askedAt' | 'isCurrent' | 'isPaying'>) => {
  const left = useSecondsLeft(askedAt)
  const text = isPaying ? words.stays : isCurrent && left > 0 ? words.refreshed(left) : words.refreshing
  return <span className="small faint number">{text}</span>
}

const Big = ({
  name,
  amount: { amount, amountUsd, currency },
}: {
  readonly name: string
  readonly amount: QuoteAmount
}) => (
  <div className="tight">
    <dt className="small soft">{name}</dt>
    <dd className="try-big">
      <Amount amount={amount} decimals={currency.decimals} symbol={currency.symbol} usd={amountUsd} />
    </dd>
  </div>
)

const QuoteView = ({ quote }: { readonly quote: Quote }) => {
  const { currencyIn, currencyOut, timeEstimate, rate } = quote.details
  return (
    <>
      <dl className="try-bigs">
        <Big name={words.youPay} amount={currencyIn} />
        <Big name={words.arrives} amount={currencyOut} />
      </dl>
      <CostLines quote={quote} />
      <dl className="facts">
        <dt>{words.takes}</dt>
        <dd>{durationText(timeEstimate * 1_000)}</dd>
        <dt>{words.atLeast}</dt>
        <dd>
          <Amount
            amount={currencyOut.minimumAmount}
            decimals={currencyOut.currency.decimals}
            symbol={currencyOut.currency.symbol}
          />
          <div className="small faint">{words.atLeastHint}</div>
        </dd>
        <dt>{words.rate}</dt>
        <dd className="number">
          1 {currencyIn.currency.symbol} = {rate} {currencyOut.currency.symbol}
        </dd>
        <dt>{words.id}</dt>
        <dd>
          <Copyable text={quote.requestId} what={words.id} short />
        </dd>
      </dl>
      <details>
        <summary>{words.raw}</summary>
        <Json value={quote} />
      </details>
    </>
  )
}

/** The price of the route that is chosen, or why there is none. */
export const QuoteCard = ({ hasBody, quote, error, isCurrent, isPaying, askedAt }: QuoteCardProps) => (
  <section className="card try-quote" aria-label={words.title}>
    <div className="card-head">
      <h2>{words.title}</h2>
      {hasBody && error === null && <Freshness {...{ askedAt, isCurrent, isPaying }} />}
    </div>
    <p className="small soft">{words.lead}</p>
    {!hasBody && <Notice>{words.none}</Notice>}
    {hasBody && error !== null && (
      <Notice tone="warn">
        <span className="wrap">{error instanceof Error ? error.message : String(error)}</span>
      </Notice>
    )}
    {hasBody && error === null && quote === undefined && <Skeleton lines={8} />}
    {hasBody && error === null && quote !== undefined && (
      <div className="stack" data-old={!isCurrent}>
        <QuoteView quote={quote} />
      </div>
    )}
  </section>
)
