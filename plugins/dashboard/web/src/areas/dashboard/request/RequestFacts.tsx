import type { ReactNode } from 'react'
import { StatusBadge } from '../../../components/values/Badge.js'
import { Copyable, shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { AppLink } from '../../../shell/AppLink.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { type Fact, Facts } from '../data/Facts.js'
import type { MemberRequest, Relative } from './memberRequest.js'
import { ShownAmount } from './ShownAmount.js'

const words = dashboardTexts.request
const { names } = words

const RelativeLink = ({
  requestId,
  status,
}: Relative | { readonly requestId: string; readonly status?: undefined }) => (
  <span className="row">
    <AppLink to={`/dashboard/requests/${requestId}`} className="mono">
      {shortened(requestId, 14)}
    </AppLink>
    {status !== undefined && <StatusBadge status={status === 'unpaid' ? 'waiting' : status} />}
  </span>
)

const id = (text: string, what: string): ReactNode => <Copyable text={text} what={what} short={14} />

/** Each fact that is known; null leaves one out. */
const factsOf = (request: MemberRequest): readonly Fact[] => {
  const { quote, cameBy, parent, children, supersededBy, referrer } = request
  const isPaid = request.deposits.length > 0
  return [
    { name: names.requestId, value: id(request.requestId, names.requestId) },
    { name: names.orderId, value: id(request.orderId, names.orderId) },
    { name: names.user, value: id(quote.user, names.user) },
    { name: names.recipient, value: id(quote.recipient, names.recipient) },
    { name: names.refundTo, value: quote.refundTo === null ? null : id(quote.refundTo, names.refundTo) },
    { name: names.depositAddress, value: cameBy === null ? null : <DepositAddress {...cameBy} /> },
    { name: names.transferTx, value: cameBy?.transferTx == null ? null : id(cameBy.transferTx, words.transaction) },
    { name: names.trade, value: words.tradeTypes[quote.tradeType] ?? quote.tradeType },
    { name: names.given, value: <ShownAmount money={quote.in} /> },
    { name: names.received, value: <ShownAmount money={quote.out} /> },
    { name: names.least, value: <ShownAmount money={quote.minimumOut} /> },
    { name: names.sponsored, value: quote.sponsored === null ? null : <ShownAmount money={quote.sponsored} /> },
    { name: names.referrer, value: referrer },
    { name: names.created, value: <Time at={request.createdAt} /> },
    { name: names.updated, value: <Time at={request.updatedAt} /> },
    { name: names.priceUntil, value: isPaid ? null : <Time at={quote.priceUntil} /> },
    { name: names.deadline, value: isPaid ? null : <Time at={quote.orderDeadline} /> },
    { name: names.parent, value: parent === null ? null : <RelativeLink {...parent} /> },
    { name: names.children, value: children.length === 0 ? null : <Relatives of={children} /> },
    { name: names.superseded, value: supersededBy === null ? null : <RelativeLink requestId={supersededBy} /> },
  ]
}

const DepositAddress = ({ address, type }: NonNullable<MemberRequest['cameBy']>) => (
  <span className="tight">
    {id(address, names.depositAddress)}
    <span className="small soft">{words.addressTypes[type] ?? type}</span>
  </span>
)

const Relatives = ({ of }: { readonly of: readonly Relative[] }) => (
  <span className="tight">
    {of.map((each) => (
      <RelativeLink key={each.requestId} {...each} />
    ))}
  </span>
)

export const RequestFacts = ({ request }: { readonly request: MemberRequest }) => (
  <section className="card" aria-label={words.facts}>
    <h2>{words.facts}</h2>
    <Facts facts={factsOf(request)} side />
  </section>
)
