import { Link } from '@tanstack/react-router'
import { Notice } from '../../../components/feedback/Notice.js'
import { Badge, StatusBadge } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card, Fact } from '../parts/Card.js'
import { explainHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { Money, symbolOf } from '../parts/money/Money.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'
import { useChainName } from '../parts/useChains.js'
import { Arrivals, Deposits, Sweeps } from './AddressTables.js'
import type { AddressDetails, PlaceView } from './addressView.js'

const words = consoleTexts.addresses

const Moneys = ({ moneys }: { readonly moneys: readonly ShownMoney[] }) =>
  moneys.length === 0 ? (
    <span className="faint">{words.nothing}</span>
  ) : (
    <span className="row">
      {moneys.map((money) => (
        <Money key={money.currency} money={money} />
      ))}
    </span>
  )

const Place = ({ place }: { readonly place: PlaceView }) => (
  <li className="tight">
    <div className="row">
      <h3>{useChainName()(place.chainId)}</h3>
      {place.expected && <Badge tone="busy">{words.expected}</Badge>}
      {place.forced && <Badge tone="busy">{words.forced}</Badge>}
    </div>
    {place.trouble !== null && (
      <Notice tone="warn">
        <strong>{words.trouble}</strong>
        <p className="wrap">{place.trouble}</p>
      </Notice>
    )}
    <dl className="facts">
      <Fact name={words.booked}>
        <Moneys moneys={place.booked} />
      </Fact>
      <Fact name={words.found}>
        <span className="row">
          <Moneys moneys={(place.found ?? []).filter(({ amount }) => amount !== '0')} />
          <span className="soft">{place.foundAt === null ? words.never : <Time at={place.foundAt} />}</span>
        </span>
      </Fact>
      <Fact name={words.nextLook}>
        <Time at={place.nextLookAt} />
      </Fact>
    </dl>
  </li>
)

const Facts = ({ details }: { readonly details: AddressDetails }) => {
  const { chainId, currency, destination, refundTo, recoveryAddress } = details
  const chainName = useChainName()
  const to = destination === null ? '?' : `${symbolOf(destination)} ${chainName(destination.chainId)}`
  return (
    <Card title={words.facts} aside={<Badge>{details.type}</Badge>}>
      <dl className="facts">
        <Fact name={words.address}>
          <OnChain chainId={chainId} what="address" id={details.address} short={false} />
        </Fact>
        <Fact name={words.route}>{`${symbolOf(currency)} ${chainName(chainId)} → ${to}`}</Fact>
        <Fact name={words.request}>
          <Explained id={details.requestId} />
        </Fact>
        <Fact name={words.orderId}>
          <Copyable text={details.orderId} what={consoleTexts.parts.orderId} short />
        </Fact>
        {details.integratorId !== null && <Fact name={words.integrator}>{details.integratorId}</Fact>}
        <Fact name={words.depositor}>
          <OnChain chainId={chainId} what="address" id={details.depositor} />
        </Fact>
        {refundTo !== null && (
          <Fact name={words.refundTo}>
            <OnChain chainId={chainId} what="address" id={refundTo} />
          </Fact>
        )}
        {recoveryAddress !== null && (
          <Fact name={words.recovery}>
            <OnChain chainId={chainId} what="address" id={recoveryAddress} />
          </Fact>
        )}
        <Fact name={words.created}>
          <Time at={details.createdAt} />
        </Fact>
        <Fact name={words.liveUntil}>
          <Time at={details.liveUntil} />
        </Fact>
      </dl>
    </Card>
  )
}

const Requests = ({ details: { requests } }: { readonly details: AddressDetails }) =>
  requests.length === 0 ? null : (
    <Card title={words.requests}>
      <ul className="tight">
        {requests.map(({ requestId, status, failReason, refundFailReason }) => (
          <li key={requestId} className="row">
            <Link to={explainHref(requestId)} className="mono cut" title={requestId}>
              {requestId}
            </Link>
            <StatusBadge status={status} />
            <span className="soft wrap">{[failReason, refundFailReason].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </Card>
  )

/** All that happened to one address. */
export const AddressStory = ({ details }: { readonly details: AddressDetails }) => (
  <>
    {details.waitsFor.map((text) => (
      <Notice key={text} tone="busy">
        <span className="wrap">
          {consoleTexts.explain.waitsFor} {text}
        </span>
      </Notice>
    ))}
    <Facts details={details} />
    <Card title={words.places}>
      <ul className="stack">
        {details.places.map((place) => (
          <Place key={place.chainId} place={place} />
        ))}
      </ul>
    </Card>
    <Arrivals details={details} />
    <Sweeps details={details} />
    <Deposits details={details} />
    <Requests details={details} />
    {details.more && <Notice>{words.more}</Notice>}
  </>
)
