import { Notice } from '../../../components/feedback/Notice.js'
import { Badge, type Tone } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card, Fact } from '../parts/Card.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { Money, MoneyOn } from '../parts/money/Money.js'
import { isZero } from '../parts/money/shownMoney.js'
import type { Attempt, PayoutExplanation } from './explanation.js'
import { Earnings } from './Quote.js'
import { Reason } from './Reason.js'

const words = consoleTexts.explain

const TONES: Readonly<Record<string, Tone>> = { final: 'good', included: 'good', dead: 'bad', failed: 'bad' }

const One = ({ chainId, attempt }: { readonly chainId: number; readonly attempt: Attempt }) => (
  <li className="tight attempt">
    <div className="row">
      <strong>{words.attempt(attempt.generation, attempt.version)}</strong>
      <Badge>{attempt.state}</Badge>
      <span className="soft small">{attempt.kind}</span>
      <OnChain chainId={chainId} what="transaction" id={attempt.txId} />
    </div>
    <div className="row small soft">
      <span>
        {words.stored} <Time at={attempt.storedAt} />
      </span>
      {attempt.broadcastAt !== null && (
        <span>
          {words.broadcast} <Time at={attempt.broadcastAt} />
        </span>
      )}
      {attempt.block !== null && (
        <span className="number">
          {words.block} {attempt.block.height}
        </span>
      )}
      {attempt.fee !== null && (
        <span>
          {words.fee} <Money money={attempt.fee} />
        </span>
      )}
    </div>
    {attempt.message !== null && <div className="wrap soft">{attempt.message}</div>}
  </li>
)

/** One payment with every transaction that was signed for it. */
export const Payout = ({ payout }: { readonly payout: PayoutExplanation }) => (
  <Card
    title={words.payout(payout.id, payout.purpose)}
    aside={<Badge tone={TONES[payout.state] ?? 'busy'}>{payout.state}</Badge>}
  >
    {(payout.failReason ?? payout.details) !== null && (
      <Notice tone="bad">
        {payout.failReason !== null && <Reason code={payout.failReason} />}
        {payout.details !== null && <div className="wrap">{payout.details}</div>}
      </Notice>
    )}
    <dl className="facts">
      <Fact name={consoleTexts.parts.amount}>
        <MoneyOn money={payout.money} />
      </Fact>
      {!isZero(payout.fees.amount) && (
        <Fact name={words.fees}>
          <MoneyOn money={payout.fees} />
        </Fact>
      )}
      {payout.earnings.length > 0 && (
        <Fact name={words.earnings}>
          <Earnings earnings={payout.earnings} />
        </Fact>
      )}
      {payout.sponsor !== null && (
        <Fact name={words.sponsor}>
          <span className="row">
            <Explained id={payout.sponsor.wallet} /> <Money money={payout.sponsor.money} />
          </span>
        </Fact>
      )}
      <Fact name={words.to}>
        <OnChain chainId={payout.money.chainId} what="address" id={payout.recipient} />
      </Fact>
      <Fact name={words.signer}>
        <OnChain chainId={payout.money.chainId} what="address" id={payout.signer} />
      </Fact>
      {payout.retries > 0 && <Fact name={words.retries}>{payout.retries}</Fact>}
    </dl>
    <ol className="tight" aria-label={words.attempts}>
      {payout.attempts.map((attempt) => (
        <One key={`${attempt.txId} ${attempt.kind}`} chainId={payout.money.chainId} attempt={attempt} />
      ))}
    </ol>
  </Card>
)
