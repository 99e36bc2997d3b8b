import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { durationText, Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { Card, Stat } from '../parts/Card.js'

const words = consoleTexts.push

/** What is read of `causeway webhooks status --json`. */
interface WebhooksStatus {
  readonly endpoints: { readonly on: number; readonly off: number; readonly failing: number }
  readonly queue: { readonly waiting: number; readonly oldestSeconds: number | null }
  readonly day: {
    readonly delivered: number
    readonly parked: number
    readonly calls: number
    readonly failedCalls: number
    readonly failureBps: number | null
  }
  readonly outbox: { readonly behind: number; readonly oldestSeconds: number | null }
  readonly troubled: readonly Troubled[]
}

interface Troubled {
  readonly apiKeyId: string
  readonly enabled: boolean
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly waiting: number
}

const COLUMNS: readonly Column<Troubled>[] = [
  {
    id: 'key',
    title: words.key,
    width: 'minmax(0, 1.5fr)',
    wide: true,
    cell: ({ apiKeyId }) => (
      <span className="mono cut" title={apiKeyId}>
        {apiKeyId}
      </span>
    ),
  },
  {
    id: 'state',
    title: words.state,
    width: '9rem',
    cell: ({ enabled }) => <Badge tone={enabled ? 'warn' : 'bad'}>{enabled ? words.failing : words.off}</Badge>,
  },
  {
    id: 'since',
    title: words.since,
    cell: ({ failingSince }) => (failingSince === null ? texts.data.none : <Time at={failingSince} />),
  },
  { id: 'waiting', title: words.waiting, align: 'end', cell: ({ waiting }) => waiting.toLocaleString('en') },
  {
    id: 'why',
    title: words.why,
    cell: ({ disabledReason }) => <span className="cut">{disabledReason ?? texts.data.none}</span>,
  },
]

const oldest = (seconds: number | null): string =>
  seconds === null ? words.none : words.oldest(durationText(seconds * 1000))

const Stats = ({ status: { endpoints, queue, day, outbox } }: { readonly status: WebhooksStatus }) => (
  <dl className="grid stats">
    <Stat name={words.endpoints} value={endpoints.on} more={words.endpointsMore(endpoints.off, endpoints.failing)} />
    <Stat name={words.queue} value={queue.waiting.toLocaleString('en')} more={oldest(queue.oldestSeconds)} />
    <Stat
      name={words.failures}
      value={day.failureBps === null ? texts.data.none : consoleTexts.now.percent(day.failureBps)}
      more={day.failureBps === null ? words.noCalls : words.failuresMore(day.failedCalls, day.calls)}
    />
    <Stat name={words.delivered} value={day.delivered.toLocaleString('en')} more={words.parked(day.parked)} />
    <Stat
      name={words.outbox}
      value={outbox.behind.toLocaleString('en')}
      more={outbox.oldestSeconds === null ? words.outboxMore : oldest(outbox.oldestSeconds)}
    />
  </dl>
)

/** How changes reach integrators. */
export const PushPage = () => {
  const query = useQuery(readCommand<WebhooksStatus>({ name: 'webhooks status' }))
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Loaded query={query} lines={8}>
        {(status) => (
          <>
            <Stats status={status} />
            <Card title={words.troubled}>
              <DataTable
                label={words.troubled}
                columns={COLUMNS}
                rows={status.troubled}
                rowKey={({ apiKeyId }) => apiKeyId}
                empty={
                  <EmptyState title={words.noTroubled}>
                    <p>{words.noTroubledMore}</p>
                  </EmptyState>
                }
              />
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}
