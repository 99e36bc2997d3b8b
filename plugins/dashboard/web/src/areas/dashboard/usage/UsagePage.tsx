import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, memo, Suspense, useMemo } from 'react'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import { SelectField, TextField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { useAddress } from '../../../shell/address.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { keyName, useKeyChoices } from '../data/keys.js'
import { ChooseFirst, IntegratorPicker, useScope } from '../data/scope.js'
import { momentSeconds, momentText } from '../requests/filterFields.js'
import {
  countsOf,
  GRAINS,
  type Grain,
  type Grouping,
  linesOf,
  sumsOf,
  type UsageRow,
  type UsageSum,
} from './usageRows.js'

const words = dashboardTexts.usage
const Chart = memo(lazy(async () => ({ default: (await import('../../../components/data/Chart.js')).Chart })))
const REFRESH_MS = 30_000
const SPANS = ['3600', '21600', '86400', '604800', '1209600'] as const
// CAST: the names of its own properties.
const GRAIN_NAMES = Object.keys(GRAINS) as readonly Grain[]
const GROUPINGS = ['outcome', 'key', 'endpoint', 'status'] as const

/** `/dashboard/usage`: calls over time, and by key, operation and outcome. */
export const UsagePage = () => {
  const scope = useScope()
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <IntegratorPicker />
      </PageHead>
      {scope.hasOwner ? <Usage scope={scope.query} /> : <ChooseFirst />}
    </>
  )
}

/** What is asked for, from the address; a time that is too long for its buckets is cut. */
const askedIn = (values: Readonly<Record<string, string>>) => {
  const grain: Grain = GRAIN_NAMES.find((each) => each === values.granularity) ?? 'hourly'
  const grouping: Grouping = GROUPINGS.find((each) => each === values.by) ?? 'outcome'
  const wanted = SPANS.find((each) => each === values.span) ?? '86400'
  const span = Math.min(Number(wanted), GRAINS[grain].most)
  return { grain, grouping, span, until: values.until ?? '', apiKey: values.apiKey ?? '' }
}

const Usage = ({ scope }: { readonly scope: Readonly<Record<string, string>> }) => {
  const { values } = useAddress()
  const asked = askedIn(values)
  const { grain, span, until, apiKey, grouping } = asked
  const keys = useKeyChoices(scope).data
  const query = useQuery({
    queryKey: ['usage', scope, grain, span, until, apiKey],
    queryFn: async ({ signal }) => {
      const end = until === '' ? Math.floor(Date.now() / 1000) : Number(until)
      const start = Math.max(0, end - span)
      const { metrics } = await callApi<{ metrics: readonly UsageRow[] }>('/dashboard/api/usage', {
        query: { ...scope, granularity: grain, startTimestamp: start, endTimestamp: end, apiKey },
        signal,
      })
      return { rows: metrics, start, end }
    },
    refetchInterval: until === '' ? whileShown(REFRESH_MS) : false,
    placeholderData: keepPreviousData,
  })
  const nameOf = useMemo(() => {
    const names = new Map((keys ?? []).map((key) => [key.id, keyName(key)]))
    return (id: string) => names.get(id) ?? dashboardTexts.keys.unnamed(id.slice(0, 8))
  }, [keys])
  const { data } = query
  const lines = useMemo(
    () => (data === undefined ? null : linesOf(data.rows, { ...data, step: GRAINS[grain].step }, { grouping, nameOf })),
    [data, grain, grouping, nameOf],
  )
  return (
    <>
      <Controls asked={asked} keys={(keys ?? []).map((key) => ({ value: key.id, text: keyName(key) }))} />
      {data === undefined ? (
        query.error ? (
          <FailedState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={10} />
        )
      ) : (
        <div className="stack stale" data-stale={query.isPlaceholderData}>
          <Counts rows={data.rows} />
          {data.rows.length > 0 && lines !== null && (
            <section className="card" aria-label={words.chart}>
              <h2>{words.chart}</h2>
              <Suspense fallback={<Skeleton lines={6} />}>
                <Chart label={words.chart} times={lines.times} series={lines.series} />
              </Suspense>
            </section>
          )}
          <UsageTable rows={data.rows} nameOf={nameOf} />
        </div>
      )}
    </>
  )
}

const Controls = ({
  asked,
  keys,
}: {
  readonly asked: ReturnType<typeof askedIn>
  readonly keys: readonly { readonly value: string; readonly text: string }[]
}) => {
  const { change } = useAddress()
  const { grain, span, until, apiKey, grouping } = asked
  const isKnown = apiKey === '' || keys.some(({ value }) => value === apiKey)
  return (
    <div className="filter-row">
      <SelectField
        label={words.grain}
        choices={GRAIN_NAMES.map((value) => ({ value, text: words.grains[value] }))}
        value={grain}
        onChange={({ target }) => change({ granularity: target.value })}
      />
      <SelectField
        label={words.span}
        choices={SPANS.filter((each) => Number(each) <= GRAINS[grain].most).map((value) => ({
          value,
          text: words.spans[value],
        }))}
        value={String(span)}
        onChange={({ target }) => change({ span: target.value })}
      />
      <TextField
        label={words.until}
        type="datetime-local"
        title={words.untilHint}
        value={until === '' ? '' : momentText(until)}
        onChange={({ target }) => change({ until: momentSeconds(target.value) })}
      />
      <SelectField
        label={words.key}
        choices={[
          { value: '', text: words.allKeys },
          ...keys,
          ...(isKnown ? [] : [{ value: apiKey, text: apiKey.slice(0, 8) }]),
        ]}
        value={apiKey}
        onChange={({ target }) => change({ apiKey: target.value })}
      />
      <SelectField
        label={words.lines}
        choices={GROUPINGS.map((value) => ({ value, text: words.groups[value] }))}
        value={grouping}
        onChange={({ target }) => change({ by: target.value })}
      />
    </div>
  )
}

const Counts = ({ rows }: { readonly rows: readonly UsageRow[] }) => {
  const { all, refused, failed, keys } = countsOf(rows)
  return (
    <dl className="grid stats">
      {(
        [
          [words.total, all],
          [words.refused, refused],
          [words.failed, failed],
          [words.keysUsed, keys],
        ] as const
      ).map(([name, count]) => (
        <div key={name} className="stat">
          <dt>{name}</dt>
          <dd>{count.toLocaleString()}</dd>
        </div>
      ))}
    </dl>
  )
}

const toneOf = (status: number) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

const UsageTable = ({ rows, nameOf }: { readonly rows: readonly UsageRow[]; nameOf(key: string): string }) => {
  const sums = useMemo(() => sumsOf(rows), [rows])
  const all = Math.max(1, countsOf(rows).all)
  const columns: readonly Column<UsageSum>[] = [
    { id: 'key', title: words.columns.key, cell: ({ apiKey }) => <span className="cut">{nameOf(apiKey)}</span> },
    {
      id: 'endpoint',
      title: words.columns.endpoint,
      width: 'minmax(0, 1.4fr)',
      wide: true,
      cell: ({ endpoint }) => <span className="mono wrap">{endpoint}</span>,
    },
    {
      id: 'status',
      title: words.columns.status,
      width: '6rem',
      cell: ({ statusCode }) => <Badge tone={toneOf(statusCode)}>{statusCode}</Badge>,
    },
    {
      id: 'error',
      title: words.columns.error,
      cell: ({ errorCode }) => <span className="mono cut small">{errorCode ?? texts.data.none}</span>,
    },
    {
      id: 'calls',
      title: words.columns.calls,
      width: '6rem',
      align: 'end',
      cell: ({ count }) => count.toLocaleString(),
    },
    {
      id: 'share',
      title: words.columns.share,
      width: '5rem',
      align: 'end',
      cell: ({ count }) => `${Math.round((count / all) * 100)} %`,
    },
  ]
  return (
    <DataTable
      label={words.table}
      columns={columns}
      rows={sums}
      rowKey={({ id }) => id}
      leastWidth={760}
      empty={
        <EmptyState title={words.empty}>
          <p>{words.emptyHow}</p>
        </EmptyState>
      }
    />
  )
}
