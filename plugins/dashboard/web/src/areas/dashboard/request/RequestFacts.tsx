import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { StatusBadge } from '../../../components/Badge.js'
import { Copyable, shortened } from '../../../components/Copyable.js'
import { Time } from '../../../components/Time.js'
import { texts } from '../../../texts/texts.js'
import type { MemberRequest, Relative } from './memberRequest.js'
import { ShownAmount } from './ShownAmount.js'

const words = texts.dashboard.request
const { names } = words

const RelativeLink = ({
  requestId,
  status,
}: Relative | { readonly requestId: string; readonly status?: undefined }) => (
  <span className="row">
    <Link to={`/dashboard/requests/${requestId}`} className="mono">
      {shortened(requestId, 14)}
    </Link>
    {status !== undefined && <StatusBadge status={status} />}
  </span>
)

const id = (text: string, what: string): ReactNode => <Copyable text={text} what={what} short />

/** Each fact that is known; null leaves one out. */
const factsOf = (request: MemberRequest): readonly (readonly [string, ReactNode | null])[] => {
  const { quote, cameBy, parent, children, supersededBy, referrer } = request
  return [
    [names.requestId, id(request.requestId, names.requestId)],
    [names.orderId, id(request.orderId, names.orderId)],
    [names.user, id(quote.user, names.user)],
    [names.recipient, id(quote.recipient, names.recipient)],
    [names.refundTo, quote.refundTo === null ? null : id(quote.refundTo, names.refundTo)],
    [
      names.depositAddress,
      cameBy === null ? null : (
        <span className="tight">
          {id(cameBy.address, names.depositAddress)}
          <span className="small soft">{words.addressTypes[cameBy.type] ?? cameBy.type}</span>
        </span>
      ),
    ],
    [names.transferTx, cameBy?.transferTx == null ? null : id(cameBy.transferTx, words.transaction)],
    [names.trade, words.tradeTypes[quote.tradeType] ?? quote.tradeType],
    [names.given, <ShownAmount key="in" money={quote.in} />],
    [names.received, <ShownAmount key="out" money={quote.out} />],
    [names.least, <ShownAmount key="least" money={quote.minimumOut} />],
    [names.sponsored, quote.sponsored === null ? null : <ShownAmount money={quote.sponsored} />],
    [names.referrer, referrer === null ? null : <span className="wrap">{referrer}</span>],
    [names.created, <Time key="made" at={request.createdAt} />],
    [names.updated, <Time key="changed" at={request.updatedAt} />],
    [names.priceUntil, request.deposits.length > 0 ? null : <Time at={quote.priceUntil} />],
    [names.deadline, request.deposits.length > 0 ? null : <Time at={quote.orderDeadline} />],
    [names.parent, parent === null ? null : <RelativeLink {...parent} />],
    [
      names.children,
      children.length === 0 ? null : (
        <span className="tight">
          {children.map((child) => (
            <RelativeLink key={child.requestId} {...child} />
          ))}
        </span>
      ),
    ],
    [names.superseded, supersededBy === null ? null : <RelativeLink requestId={supersededBy} />],
  ]
}

export const RequestFacts = ({ request }: { readonly request: MemberRequest }) => (
  <section className="card" aria-label={words.facts}>
    <h2>{words.facts}</h2>
    <dl className="facts side-facts">
      {factsOf(request).map(([name, fact]) =>
        fact === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ),
      )}
    </dl>
  </section>
)
