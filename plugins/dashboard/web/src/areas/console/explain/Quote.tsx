import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Fact } from '../parts/Card.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { Money, MoneyOn } from '../parts/money/Money.js'
import type { Earning, QuoteExplanation } from './explanation.js'

const words = consoleTexts.explain

export const Earnings = ({ earnings }: { readonly earnings: readonly Earning[] }) => (
  <ul className="tight">
    {earnings.map(({ wallet, kind, money }) => (
      <li key={`${wallet} ${kind}`} className="row">
        <Money money={money} />
        <span className="soft">{kind}</span>
        <Explained id={wallet} />
      </li>
    ))}
  </ul>
)

/** What was promised. */
export const Quote = ({ quote }: { readonly quote: QuoteExplanation }) => (
  <dl className="facts">
    <Fact name={words.sends}>
      <MoneyOn money={quote.in} />{' '}
      <span className="soft">
        {words.atLeast} <Money money={quote.minimumIn} />
      </span>
    </Fact>
    <Fact name={words.receives}>
      <MoneyOn money={quote.out} />{' '}
      <span className="soft">
        {words.atLeast} <Money money={quote.minimumOut} />
      </span>
    </Fact>
    <Fact name={words.fees}>
      <Money money={quote.fees} />{' '}
      <span className="soft">
        {words.fillCost} <Money money={quote.fillCost} />
      </span>
    </Fact>
    {quote.earnings.length > 0 && (
      <Fact name={words.earnings}>
        <Earnings earnings={quote.earnings} />
      </Fact>
    )}
    {quote.sponsor !== null && (
      <Fact name={words.sponsor}>
        <span className="row">
          <Explained id={quote.sponsor.wallet} /> <Money money={quote.sponsor.money} />
        </span>
      </Fact>
    )}
    <Fact name={words.user}>
      <OnChain chainId={quote.in.chainId} what="address" id={quote.user} />
    </Fact>
    <Fact name={words.recipient}>
      <OnChain chainId={quote.out.chainId} what="address" id={quote.recipient} />
    </Fact>
    {quote.refundTo !== null && (
      <Fact name={words.refundTo}>
        <OnChain chainId={quote.in.chainId} what="address" id={quote.refundTo} />
      </Fact>
    )}
    <Fact name={words.request}>
      <Copyable text={quote.requestId} what={consoleTexts.parts.requestId} short />
    </Fact>
    <Fact name={words.order}>
      <Copyable text={quote.orderId} what={consoleTexts.parts.orderId} short />
    </Fact>
    <Fact name={words.tradeType}>{quote.tradeType}</Fact>
    <Fact name={words.quotedAt}>
      <Time at={quote.quotedAt} />
    </Fact>
    <Fact name={words.priceUntil}>
      <Time at={quote.priceUntil} />
    </Fact>
    <Fact name={words.deadline}>
      <Time at={quote.orderDeadline} />
    </Fact>
  </dl>
)
