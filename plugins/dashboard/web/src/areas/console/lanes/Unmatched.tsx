import { Link } from '@tanstack/react-router'
import { BulkBar } from '../../../components/data/BulkBar.js'
import { type ChosenRows, useChosenRows } from '../../../components/data/useChosenRows.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card, Fact } from '../parts/Card.js'
import { parkedHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { useBulkCommands } from '../parts/useBulkCommands.js'
import { canRelease } from './laneBulk.js'
import type { LaneReport, UnmatchedPayment } from './laneReport.js'
import { ReleaseLane } from './ReleaseLane.js'
import { useLaneMoney, useShownMoney } from './useLaneMoney.js'

const words = consoleTexts.lanes

const keyOf = ({ txId }: UnmatchedPayment): string => txId

interface PaymentProps {
  readonly lane: LaneReport
  readonly payment: UnmatchedPayment
  readonly chosen: ChosenRows<UnmatchedPayment>
}

const Payment = ({ lane, payment, chosen }: PaymentProps) => {
  const money = useLaneMoney(lane.chainId)
  const { txId, orderId, purpose, recipient, currency, amount, foundAt, shuts, deposits, status, blockHeight } = payment
  return (
    <li className="card">
      <div className="card-head">
        <span className="row">
          {canRelease(payment) && (
            <input
              type="checkbox"
              aria-label={texts.data.chooseOne(words.payment(shortened(txId)))}
              checked={chosen.has(payment)}
              onChange={() => chosen.toggle(payment)}
            />
          )}
          <OnChain chainId={lane.chainId} what="transaction" id={txId} />
        </span>
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

const useRelease = ({ chain, chainId, signer }: LaneReport, count: number) => {
  const shown = useShownMoney()
  return useBulkCommands<UnmatchedPayment>(
    [
      {
        verb: 'release',
        title: words.releasePaymentsTitles,
        effect: words.releasePaymentsEffects(chain),
        confirm: words.releasePayments,
        danger: true,
        allows: canRelease,
        call: ({ txId }, reason) => ({
          name: 'lanes release',
          arguments: [chain, signer],
          options: { tx: txId, reason },
        }),
        confirmWith: () => chain,
        keyOf,
        nameOf: ({ txId }) => words.payment(txId),
        moneysOf: ({ currency, amount }) => [shown(chainId, currency, amount)],
      },
    ],
    count,
  )
}

/** What the key paid that these books do not know. */
export const Unmatched = ({ lane }: { readonly lane: LaneReport }) => {
  const chosen = useChosenRows({ rows: lane.unmatched, keyOf, canChoose: canRelease })
  const { actions, dialog } = useRelease(lane, chosen.rows.length)
  return (
    <Card title={words.unmatched}>
      {lane.unmatched.some(({ shuts }) => shuts) && <Notice tone="warn">{words.first}</Notice>}
      <BulkBar chosen={chosen} actions={actions} />
      {lane.unmatched.length === 0 ? (
        <EmptyState title={words.noUnmatched}>
          <p>{words.noUnmatchedMore}</p>
        </EmptyState>
      ) : (
        <ul className="stack">
          {lane.unmatched.map((payment) => (
            <Payment key={payment.txId} lane={lane} payment={payment} chosen={chosen} />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  )
}
