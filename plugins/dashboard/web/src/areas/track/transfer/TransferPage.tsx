import { ApiFailure } from '../../../api/callApi.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { FailedState, Skeleton } from '../../../components/feedback/States.js'
import { StatusBadge } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { hrefOf } from '../../../shell/hrefOf.js'
import { LiveBadge } from '../../../shell/LiveBadge.js'
import { PageHead } from '../../../shell/PageHead.js'
import { trackTexts } from '../../../texts/trackTexts.js'
import { AddressFound, NothingFound } from '../lookup/NotFound.js'
import { Outcome } from './Outcome.js'
import { ShareButton } from './ShareButton.js'
import { TransferLinks } from './TransferLinks.js'
import { chainNames, isEnded, isPassing, type Transfer, useTransfer } from './transfer.js'
import { Way } from './Way.js'

const words = trackTexts

const TransferView = ({ transfer, isAway }: { readonly transfer: Transfer; readonly isAway: boolean }) => {
  const { requestId, status, updatedAt, quoteCreatedAt } = transfer
  const [from, to] = chainNames(transfer)
  return (
    <>
      <PageHead title={words.title} crumb={<a href={hrefOf('')}>{words.crumb}</a>}>
        {!isEnded(status) && <LiveBadge />}
        <ShareButton requestId={requestId} />
      </PageHead>
      <section className="card">
        <div className="row between">
          <StatusBadge status={status} />
          <span className="small soft">
            {words.updated} <Time at={updatedAt} />
          </span>
        </div>
        <p className="track-sentence wrap" role="status">
          {words.sentence[status]?.(from, to) ?? words.unknownStatus}
        </p>
        <Way status={status} from={from} to={to} />
      </section>
      <section className="card">
        <Outcome transfer={transfer} />
      </section>
      <section className="card">
        <h2>{words.transactions}</h2>
        <TransferLinks transfer={transfer} />
        <dl className="facts track-end">
          <dt>{words.id}</dt>
          <dd>
            <Copyable text={requestId} what={words.id} short />
          </dd>
          <dt>{words.asked}</dt>
          <dd>
            <Time at={quoteCreatedAt} />
          </dd>
        </dl>
      </section>
      {isAway && (
        <div className="track-away">
          <Notice tone="warn">{words.reconnecting}</Notice>
        </div>
      )}
    </>
  )
}

/** Where one transfer is. What was known stays while nobody answers. */
export const TransferPage = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useTransfer(id)
  if (data !== undefined) return <TransferView transfer={data} isAway={isPassing(error)} />
  const status = error instanceof ApiFailure ? error.status : null
  if (status === 401) return <AddressFound address={id} />
  if (status === 404 || status === 400) return <NothingFound id={id} />
  return (
    <>
      <PageHead title={words.title} crumb={<a href={hrefOf('')}>{words.crumb}</a>} />
      <section className="card track-wait">
        {error === null ? (
          <Skeleton lines={8} />
        ) : (
          <FailedState error={status === 429 ? new Error(words.tooMany) : error} retry={() => void refetch()} />
        )}
      </section>
    </>
  )
}
