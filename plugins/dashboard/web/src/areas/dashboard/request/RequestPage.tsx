import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { ApiFailure, callApi } from '../../../api/callApi.js'
import { useLiveState, useStatusEvents } from '../../../api/statusEvents.js'
import { Button } from '../../../components/controls/Button.js'
import { TabPages } from '../../../components/controls/TabPages.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { StatusBadge } from '../../../components/values/Badge.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Json } from '../../../components/values/Json.js'
import { AppLink } from '../../../shell/AppLink.js'
import { useAddress } from '../../../shell/address.js'
import { LiveBadge } from '../../../shell/LiveBadge.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { Fees } from './Fees.js'
import { Happened } from './Happened.js'
import { MoneyCard } from './MoneyCard.js'
import type { MemberRequest } from './memberRequest.js'
import { Now } from './Now.js'
import { RequestFacts } from './RequestFacts.js'
import { Transfers } from './Transfers.js'

const words = dashboardTexts.request

/** How often the page asks, milliseconds: changes of the status are pushed, but what becomes final is not. */
const PAUSES = { open: { live: 5_000, polling: 3_000 }, over: { live: 30_000, polling: 30_000 } } as const

const isOpen = ({ status, next }: MemberRequest): boolean =>
  !['success', 'refund', 'failure'].includes(status) || next.length > 0

const useRequest = (id: string) => {
  const live = useLiveState()
  const query = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => callApi<MemberRequest>(`/dashboard/api/requests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : PAUSES[isOpen(data) ? 'open' : 'over'][live],
  })
  useStatusEvents(query.data?.requestId ?? null, () => void query.refetch())
  return query
}

/** `/dashboard/requests/{id}`: everything of one request, and it stays up to date. */
export const RequestPage = ({ id }: { readonly id: string }) => {
  const query = useRequest(id)
  const { data } = query
  const crumb = <AppLink to="/dashboard/requests">{words.back}</AppLink>
  if (data === undefined) {
    const isMissing = query.error instanceof ApiFailure && query.error.status === 404
    return (
      <>
        <PageHead title={words.title(shortened(id, 16))} crumb={crumb} />
        {isMissing ? (
          <Missing />
        ) : query.error ? (
          <FailedState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={10} />
        )}
      </>
    )
  }
  return (
    <>
      <PageHead title={words.title(shortened(data.requestId, 14))} crumb={crumb}>
        <StatusBadge status={data.status} />
        <LiveBadge />
        <Button asChild size="small">
          <a href={`/track/${data.requestId}`} target="_blank" rel="noreferrer">
            {words.track}
            <ExternalLink aria-hidden />
          </a>
        </Button>
      </PageHead>
      <Views request={data} />
    </>
  )
}

const Missing = () => (
  <div className="table">
    <EmptyState title={words.notFound}>
      <p>{words.notFoundHow}</p>
      <Button asChild>
        <AppLink to="/dashboard/requests">{words.toList}</AppLink>
      </Button>
    </EmptyState>
  </div>
)

const Views = ({ request }: { readonly request: MemberRequest }) => {
  const { values, change } = useAddress()
  return (
    <TabPages
      label={words.tabsLabel}
      value={values.view === 'raw' ? 'raw' : 'overview'}
      onChange={(view) => change({ view: view === 'overview' ? null : view })}
      pages={[
        { id: 'overview', title: words.tabs.overview, content: <Overview request={request} /> },
        { id: 'raw', title: words.tabs.raw, content: <Json value={request} /> },
      ]}
    />
  )
}

const Overview = ({ request }: { readonly request: MemberRequest }) => (
  <div className="two">
    <div className="stack">
      <Now request={request} />
      <MoneyCard request={request} />
      <Happened timeline={request.timeline} />
      <Fees fees={request.fees} />
    </div>
    <div className="stack">
      <Transfers request={request} />
      <RequestFacts request={request} />
    </div>
  </div>
)
