import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { callApi, withQuery } from '../../../api/callApi.js'
import { useLiveState, useStatusEvents } from '../../../api/statusEvents.js'
import { Button } from '../../../components/controls/Button.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { AppLink } from '../../../shell/AppLink.js'
import { useAddress } from '../../../shell/address.js'
import { LiveBadge } from '../../../shell/LiveBadge.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { useCursorList } from '../data/cursorList.js'
import { saveFile } from '../data/saveFile.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { RequestPage } from '../request/RequestPage.js'
import { FilterBar } from './FilterBar.js'
import { filtersIn, searchIn } from './filterFields.js'
import { REQUESTS_PATH, RequestTable } from './RequestTable.js'
import type { RequestRecord } from './requestRecord.js'
import { SavedViews } from './SavedViews.js'

const words = dashboardTexts.requests
/** New requests are looked for; changes of those in sight are pushed. */
const LIVE_MS = 10_000
const POLLING_MS = 4_000

interface RequestsAnswer {
  readonly requests: readonly RequestRecord[]
  readonly continuation?: string
  readonly total?: number
}

/** `/dashboard/requests`: the list, or one of them. */
export const RequestsPage = ({ id }: { readonly id: string | null }) =>
  id === null ? <RequestList /> : <RequestPage id={id} />

const RequestList = () => {
  const { values, change, set } = useAddress()
  const scope = useScope()
  const search = searchIn(values)
  const query = { ...search, ...scope.query }
  const live = useLiveState()
  const { table, isStale } = useCursorList<RequestsAnswer, RequestRecord>({
    path: REQUESTS_PATH,
    query: { ...query, limit: 50 },
    cursor: 'continuation',
    refreshMs: live === 'live' ? LIVE_MS : POLLING_MS,
    rowsOf: ({ requests }) => requests,
    nextOf: ({ continuation }) => continuation,
  })
  // One followed request keeps the connection open by which the page hears of changes.
  useStatusEvents(table.rows?.[0]?.id ?? null, table.retry)
  const isFiltered = Object.keys(filtersIn(values)).length > 0
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <LiveBadge />
        <IntegratorPicker />
        <SavedViews search={search} open={(next) => set({ ...next, ...scope.query })} />
        <CsvButton query={query} />
      </PageHead>
      <FilterBar values={values} scope={scope.query} change={change} />
      {isFiltered && <Total key={JSON.stringify(query)} query={query} />}
      <div className="stale" data-stale={isStale}>
        <RequestTable {...table} empty={isFiltered ? <NoneFits clear={() => set(scope.query)} /> : <NoneYet />} />
      </div>
    </>
  )
}

const NoneYet = () => (
  <EmptyState title={words.empty}>
    <p>{words.emptyHow}</p>
    <Button asChild kind="primary">
      <AppLink to="/dashboard">{words.emptyAction}</AppLink>
    </Button>
  </EmptyState>
)

const NoneFits = ({ clear }: { clear(): void }) => (
  <EmptyState title={words.noneFits}>
    <p>{words.noneFitsHow}</p>
    <Button onClick={clear}>{words.filters.clear}</Button>
  </EmptyState>
)

/** Counting may take seconds, so it is done when asked for. */
const Total = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const total = useQuery({
    queryKey: [REQUESTS_PATH, 'total', query],
    queryFn: ({ signal }) =>
      callApi<RequestsAnswer>(REQUESTS_PATH, { query: { ...query, limit: 1, includeTotal: true }, signal }),
    enabled: false,
    retry: false,
  })
  return (
    <div className="row">
      {total.data?.total === undefined ? (
        <Button size="small" kind="quiet" disabled={total.isFetching} onClick={() => void total.refetch()}>
          {total.isFetching ? texts.data.working : words.count}
        </Button>
      ) : (
        <span className="soft number" role="status">
          {words.total(total.data.total)}
        </span>
      )}
      {total.error !== null && <span className="field-problem">{total.error.message}</span>}
    </div>
  )
}

const CsvButton = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const save = useMutation({
    mutationFn: () => saveFile(withQuery('/dashboard/api/requests.csv', query), 'requests.csv'),
    onSuccess: ({ isCut }) => toast(isCut ? words.csvCut : words.csvDone, isCut ? 'bad' : 'good'),
    onError: (error) => toast(error.message, 'bad'),
  })
  return (
    <Button onClick={() => save.mutate()} disabled={save.isPending} title={words.csvHint}>
      <Download aria-hidden />
      {save.isPending ? texts.data.working : words.csv}
    </Button>
  )
}
