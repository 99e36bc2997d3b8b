import { Link } from '@tanstack/react-router'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card, Fact } from '../parts/Card.js'
import { parkedHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import type { LaneReport, UnmatchedPayment } from './laneReport.js'
import { ReleaseLane } from './ReleaseLane.js'
import { useLaneMoney } from './useLaneMoney.js'

const words = consoleTexts.lanes

const Payment = ({ lane, payment }: { readonly lane: LaneReport; readonly payment: UnmatchedPayment }) => {
  const money = useLaneMoney(lane.chainId)
  const { txId, orderId, purpose, recipient, currency, amount, foundAt, shuts, deposits, status, blockHeight } = payment
  return (
    <li className="card">
      <div className="card-head">
        <OnChain chainId={lane.chainId} what="transaction" id={txId} />
        <Badge tone={shuts ? 'bad' : 'good'}>{shuts ? words.shuts : words.accounted}</Badge>
      </div>
      <dl className="facts">
        <Fact name={words.paid}>
          {money(currency, amount)} <span className="soft">{[purpose, status].filter(Boolean).join(', ')}</span>
        </Fact>
        <Fact name={words.to}>
          <OnChain chainId={lane.chainId} what="address" id={recipient} />
        </Fact>
        <Fact name={consoleTexts.explain.order}>
          <Explained id={orderId} />
        </Fact>
        <Fact name={consoleTexts.explain.block}>{blockHeight ?? texts.data.none}</Fact>
        <Fact name={words.found}>
          <Time at={foundAt} />
        </Fact>
        <Fact name={words.deposits}>
          {deposits.length === 0 ? (
            texts.data.none
          ) : (
            <span className="row">
              {deposits.map((number) => (
                <Link key={number} to={parkedHref(number)}>
                  {consoleTexts.parked.deposit(number)}
                </Link>
              ))}
            </span>
          )}
        </Fact>
      </dl>
      {shuts && (
        <div>
          <ReleaseLane lane={lane} payment={payment} />
        </div>
      )}
    </li>
  )
}

/** What the key paid that these books do not know. */
export const Unmatched = ({ lane }: { readonly lane: LaneReport }) => (
  <Card title={words.unmatched}>
    {lane.unmatched.some(({ shuts }) => shuts) && <Notice tone="warn">{words.first}</Notice>}
    {lane.unmatched.length === 0 ? (
      <EmptyState title={words.noUnmatched}>
        <p>{words.noUnmatchedMore}</p>
      </EmptyState>
    ) : (
      <ul className="stack">
        {lane.unmatched.map((payment) => (
          <Payment key={payment.txId} lane={lane} payment={payment} />
        ))}
      </ul>
    )}
  </Card>
)
