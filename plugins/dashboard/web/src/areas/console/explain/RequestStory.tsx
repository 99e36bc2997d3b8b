import { Link } from '@tanstack/react-router'
import { Notice } from '../../../components/feedback/Notice.js'
import { StatusBadge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card, Fact } from '../parts/Card.js'
import { addressHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { Deposit } from './Deposit.js'
import type { RequestExplanation } from './explanation.js'
import { Quote } from './Quote.js'
import { Reason } from './Reason.js'
import { RefundRequest } from './RefundRequest.js'
import { StoryParts } from './StoryParts.js'

const words = consoleTexts.explain

const Relations = ({ request }: { readonly request: RequestExplanation }) => (
  <>
    {request.parent !== null && (
      <Fact name={words.parent}>
        <span className="row">
          <Explained id={request.parent.requestId} /> <StatusBadge status={request.parent.status} />
        </span>
      </Fact>
    )}
    {request.children.length > 0 && (
      <Fact name={words.children}>
        <ul className="tight">
          {request.children.map(({ requestId, status }) => (
            <li key={requestId} className="row">
              <Explained id={requestId} /> <StatusBadge status={status} />
            </li>
          ))}
        </ul>
      </Fact>
    )}
    {request.supersededBy !== null && (
      <Fact name={words.superseded}>
        <Explained id={request.supersededBy} />
      </Fact>
    )}
    {request.cameBy !== null && (
      <Fact name={words.cameBy}>
        <Link to={addressHref(request.cameBy.address)} className="mono cut" title={request.cameBy.address}>
          {shortened(request.cameBy.address)}
        </Link>
        {request.cameBy.waitsFor.map((text) => (
          <div key={text} className="soft wrap">
            {words.waitsFor} {text}
          </div>
        ))}
      </Fact>
    )}
    {request.cameBy?.transferTx != null && (
      <Fact name={words.transfer}>
        <OnChain chainId={request.quote.in.chainId} what="transaction" id={request.cameBy.transferTx} />
      </Fact>
    )}
  </>
)

const Failure = ({ request }: { readonly request: RequestExplanation }) => {
  const { failReason, firstFailReason, refundFailReason, details, status } = request
  const first = firstFailReason ?? failReason
  const reasons = [
    [words.failReason, first === null ? null : <Reason key="fail" code={first} />],
    [words.sentBack, firstFailReason === null || failReason === null ? null : <Reason key="hand" code={failReason} />],
    [words.refundFailReason, refundFailReason === null ? null : <Reason key="refund" code={refundFailReason} />],
    [words.details, details],
  ] as const
  if (reasons.every(([, text]) => text === null)) return null
  return (
    <Notice tone={status === 'failure' ? 'bad' : 'warn'}>
      <dl className="facts">
        {reasons.map(([name, text]) =>
          text === null ? null : (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
        )}
      </dl>
    </Notice>
  )
}

/** Everything of one request; its parts stand closed where there are several requests. */
export const RequestStory = ({
  request,
  isAlone,
}: {
  readonly request: RequestExplanation
  readonly isAlone: boolean
}) => (
  <details className="story" open={isAlone}>
    <summary>
      <span className="row">
        <strong>
          {words.request} {shortened(request.requestId)}
        </strong>
        <StatusBadge status={request.status} />
        <span className="soft small">
          <Time at={request.updatedAt} />
        </span>
      </span>
    </summary>
    <div className="stack">
      <Failure request={request} />
      {request.status === 'failure' && <RefundRequest request={request} />}
      <StoryParts story={request} deposited={request.deposits[0]?.money ?? null}>
        <Card title={words.quote}>
          <Quote quote={request.quote} />
          <dl className="facts">
            {request.integratorId !== null && <Fact name={words.integrator}>{request.integratorId}</Fact>}
            {request.referrer !== null && <Fact name={words.referrer}>{request.referrer}</Fact>}
            <Relations request={request} />
          </dl>
        </Card>
        {request.deposits.map((deposit) => (
          <Deposit key={deposit.id} deposit={deposit} />
        ))}
      </StoryParts>
    </div>
  </details>
)
