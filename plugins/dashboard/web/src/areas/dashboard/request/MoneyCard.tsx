import { ArrowRight } from 'lucide-react'
import { MoneyFlow } from '../../../components/data/MoneyFlow.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useChains } from '../data/chains.js'
import type { MemberRequest, MoneySum, Payment } from './memberRequest.js'
import { ShownAmount, unitOf } from './ShownAmount.js'

const words = dashboardTexts.request
const PARTS = ['paid', 'fees', 'refunded', 'kept', 'open'] as const

/** What is in a sum; a part of nothing is left out. */
const partsOf = (sum: MoneySum) =>
  PARTS.flatMap((part) => (BigInt(sum[part]) === 0n ? [] : [{ name: words.parts[part], amount: sum[part] }]))

/** Where the money is: what was deposited with all its parts, and what was paid out for it. */
export const MoneyCard = ({ request }: { readonly request: MemberRequest }) => {
  const { nameOf } = useChains()
  const { sums, payments, quote } = request
  return (
    <section className="card" aria-label={words.money}>
      <Promised quote={quote} />
      {sums.length > 0 && (
        <div className="tight">
          <h2>{words.money}</h2>
          <p className="soft small">{words.moneyLead}</p>
        </div>
      )}
      {sums.map((sum) => (
        <div key={`${sum.chainId} ${sum.currency}`} className="tight">
          <h3 className="small soft">{nameOf(sum.chainId)}</h3>
          <MoneyFlow
            whole={{ name: words.parts.deposited, amount: sum.deposited }}
            parts={partsOf(sum)}
            rest={words.parts.rest}
            {...unitOf(sum)}
          />
        </div>
      ))}
      {sums.length > 0 && <PaidOut payments={payments} />}
    </section>
  )
}

const Promised = ({ quote }: Pick<MemberRequest, 'quote'>) => {
  const { nameOf } = useChains()
  return (
    <div className="tight">
      <h2>{words.promised}</h2>
      <div className="promise">
        <div className="cell-two">
          <ShownAmount money={quote.in} />
          <span className="small faint">{nameOf(quote.in.chainId)}</span>
        </div>
        <ArrowRight className="icon" aria-hidden />
        <div className="cell-two">
          <ShownAmount money={quote.out} />
          <span className="small faint">{nameOf(quote.out.chainId)}</span>
        </div>
      </div>
    </div>
  )
}

const PaidOut = ({ payments }: { readonly payments: readonly Payment[] }) => {
  const { nameOf } = useChains()
  return (
    <div className="tight">
      <h3>{words.out}</h3>
      {payments.length === 0 && <p className="soft">{words.noneOut}</p>}
      <ul className="tight">
        {payments.map((payment) => (
          <li key={`${payment.purpose} ${payment.createdAt} ${payment.recipient}`} className="row between">
            <span className="soft">
              {words.purposes[payment.purpose] ?? payment.purpose} · {nameOf(payment.chainId)} ·{' '}
              {words.states[payment.state] ?? payment.state}
            </span>
            <ShownAmount money={payment.money} />
          </li>
        ))}
      </ul>
    </div>
  )
}
