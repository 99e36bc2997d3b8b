import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card } from '../parts/Card.js'
import { explainHref } from '../parts/hrefs.js'
import { OnChain } from '../parts/Ids.js'
import { Money } from '../parts/money/Money.js'
import type { AddressDetails, ArrivalView, SweepView, SweptDeposit } from './addressView.js'

const words = consoleTexts.addresses

const Empty = ({ title, more }: { readonly title: string; readonly more: string }): ReactNode => (
  <EmptyState title={title}>
    <p>{more}</p>
  </EmptyState>
)

const ARRIVALS: readonly Column<ArrivalView>[] = [
  {
    id: 'tx',
    title: consoleTexts.explain.transaction,
    wide: true,
    cell: ({ chainId, txId }) => <OnChain chainId={chainId} what="transaction" id={txId} />,
  },
  {
    id: 'money',
    title: consoleTexts.parts.amount,
    align: 'end',
    whole: true,
    cell: ({ money }) => <Money money={money} />,
  },
  {
    id: 'sender',
    title: words.sender,
    cell: ({ chainId, sender }) =>
      sender === null ? texts.data.none : <OnChain chainId={chainId} what="address" id={sender} />,
  },
  { id: 'state', title: words.state, width: '7rem', cell: ({ state }) => <span className="cut">{state}</span> },
  { id: 'seen', title: words.seen, width: '7rem', cell: ({ seenAt }) => <Time at={seenAt} /> },
]

export const Arrivals = ({ details: { arrivals } }: { readonly details: AddressDetails }) => (
  <Card title={words.arrivals}>
    <DataTable
      label={words.arrivals}
      columns={ARRIVALS}
      rows={arrivals}
      rowKey={({ chainId, txId, position }) => `${chainId} ${txId} ${position}`}
      empty={<Empty title={words.noArrivals} more={words.noArrivalsMore} />}
    />
  </Card>
)

const SWEEPS: readonly Column<SweepView>[] = [
  { id: 'sweep', title: words.sweep, width: '8rem', cell: ({ payoutId }) => <strong>{words.payout(payoutId)}</strong> },
  {
    id: 'money',
    title: consoleTexts.parts.amount,
    align: 'end',
    whole: true,
    cell: ({ money }) => <Money money={money} />,
  },
  {
    id: 'state',
    title: words.state,
    width: 'minmax(0, 1.5fr)',
    cell: ({ state, trouble, details }) => (
      <span className="cut" title={trouble ?? details ?? undefined}>
        {[state, trouble ?? details].filter(Boolean).join(': ')}
      </span>
    ),
  },
  {
    id: 'tx',
    title: consoleTexts.explain.transaction,
    wide: true,
    cell: ({ chainId, transactions }) => {
      const last = transactions.at(-1)
      return last === undefined ? texts.data.none : <OnChain chainId={chainId} what="transaction" id={last.txId} />
    },
  },
  { id: 'created', title: words.seen, width: '7rem', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

export const Sweeps = ({ details: { sweeps } }: { readonly details: AddressDetails }) => (
  <Card title={words.sweeps}>
    <DataTable
      label={words.sweeps}
      columns={SWEEPS}
      rows={sweeps}
      rowKey={({ payoutId }) => payoutId}
      rowHref={({ payoutId }) => explainHref(`payout:${payoutId}`)}
      empty={<Empty title={words.noSweeps} more={words.noSweepsMore} />}
    />
  </Card>
)

const DEPOSITS: readonly Column<SweptDeposit>[] = [
  {
    id: 'deposit',
    title: words.deposit,
    width: '8rem',
    cell: ({ depositId }) => <strong>{consoleTexts.parked.deposit(depositId)}</strong>,
  },
  {
    id: 'money',
    title: consoleTexts.parts.amount,
    align: 'end',
    whole: true,
    cell: ({ money }) => <Money money={money} />,
  },
  { id: 'state', title: words.state, cell: ({ state }) => <span className="cut">{state}</span> },
  {
    id: 'outcome',
    title: words.outcome,
    width: 'minmax(0, 1.5fr)',
    wide: true,
    cell: ({ outcome, parkedReason }) => (
      <span className="cut" title={parkedReason ?? undefined}>
        {[outcome, parkedReason].filter(Boolean).join(': ') || texts.data.none}
      </span>
    ),
  },
]

export const Deposits = ({ details: { deposits } }: { readonly details: AddressDetails }) => (
  <Card title={words.deposits}>
    <DataTable
      label={words.deposits}
      columns={DEPOSITS}
      rows={deposits}
      rowKey={({ depositId }) => depositId}
      rowHref={({ depositId }) => explainHref(`deposit:${depositId}`)}
      empty={<Empty title={words.noDeposits} more={words.noDepositsMore} />}
    />
  </Card>
)
