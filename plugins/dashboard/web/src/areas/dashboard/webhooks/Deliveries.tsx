import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { SelectField } from '../../../components/controls/Field.js'
import { BulkBar } from '../../../components/data/BulkBar.js'
import { MOST_CHOSEN } from '../../../components/data/chosenRows.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { useChosenRows } from '../../../components/data/useChosenRows.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge, StatusBadge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { useAddress } from '../../../shell/address.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useCursorList } from '../data/cursorList.js'
import { RequestRef } from '../data/RequestRef.js'
import { DeliveryDialog } from './DeliveryDialog.js'
import { DeliveryState } from './DeliveryState.js'
import { ReplayChosen } from './ReplayChosen.js'
import { ReplayDialog } from './ReplayDialog.js'
import { canReplay, type Delivery, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks
const STATES = ['waiting', 'delivered', 'parked'] as const

interface DeliveriesAnswer {
  readonly deliveries: readonly Delivery[]
  readonly nextCursor: string | null
}

const columns = (open: (id: string) => void): readonly Column<Delivery>[] => [
  {
    id: 'state',
    title: words.deliveryColumns.state,
    width: '8.5rem',
    cell: ({ state }) => <DeliveryState state={state} />,
  },
  {
    id: 'status',
    title: words.deliveryColumns.status,
    width: 'minmax(11rem, 1fr)',
    cell: ({ status, requestId }) =>
      requestId === null ? <Badge>{words.test_}</Badge> : <StatusBadge status={status} />,
  },
  {
    id: 'request',
    title: words.deliveryColumns.request,
    cell: ({ requestId }) => <RequestRef id={requestId} />,
  },
  {
    id: 'tries',
    title: words.deliveryColumns.tries,
    width: '5.5rem',
    align: 'end',
    cell: ({ tries }) => tries.length.toLocaleString(),
  },
  {
    id: 'at',
    title: words.deliveryColumns.at,
    width: '7rem',
    align: 'end',
    cell: ({ eventAt }) => <Time at={eventAt} />,
  },
  {
    id: 'open',
    title: words.look,
    width: '5rem',
    align: 'end',
    cell: ({ id }) => (
      <Button size="small" onClick={() => open(id)}>
        {words.look}
      </Button>
    ),
  },
]

const keyOf = ({ id }: Delivery): string => id
const nameOf = ({ eventId }: Delivery): string => eventId

/** What was sent, what came of it, and sending it again. */
export const Deliveries = ({ keyId }: { readonly keyId: string }) => {
  const { values, change } = useAddress()
  const client = useQueryClient()
  const [isReplayOpen, setReplayOpen] = useState(false)
  const state = STATES.find((each) => each === values.state)
  const path = `${webhookPath(keyId)}/deliveries`
  const { table, loadAll } = useCursorList<DeliveriesAnswer, Delivery>({
    path,
    query: { limit: 50, state },
    refreshMs: 5_000,
    rowsOf: ({ deliveries }) => deliveries,
    nextOf: ({ nextCursor }) => nextCursor,
  })
  const chosen = useChosenRows({
    rows: table.rows,
    keyOf,
    canChoose: canReplay,
    ...(table.hasMore ? { loadAll: () => loadAll(MOST_CHOSEN) } : {}),
  })
  const [asked, setAsked] = useState<readonly Delivery[] | null>(null)
  const changed = () => client.invalidateQueries({ queryKey: [path] })
  return (
    <section className="stack" aria-label={words.deliveries}>
      <div className="card-head">
        <h2>{words.deliveries}</h2>
        <div className="row">
          <SelectField
            label={words.filter}
            choices={(['all', ...STATES] as const).map((each) => ({
              value: each === 'all' ? '' : each,
              text: words.filters[each],
            }))}
            value={state ?? ''}
            onChange={({ target }) => change({ state: target.value })}
          />
          <Button onClick={() => setReplayOpen(true)} className="button align-end">
            {words.replayMany}
          </Button>
        </div>
      </div>
      <BulkBar
        chosen={chosen}
        actions={[{ text: words.replay, allows: canReplay, open: setAsked }]}
        hasMore={table.hasMore}
      />
      <DataTable
        label={words.deliveriesList}
        columns={columns((id) => change({ delivery: id }))}
        rowKey={keyOf}
        selection={{ chosen, nameOf }}
        leastWidth={760}
        empty={
          <EmptyState title={state === undefined ? words.noDeliveries : words.noSuchDeliveries}>
            {state === undefined && <p>{words.noDeliveriesHow}</p>}
          </EmptyState>
        }
        {...table}
      />
      <DeliveryDialog
        keyId={keyId}
        id={values.delivery ?? null}
        onClose={() => change({ delivery: null })}
        changed={changed}
      />
      {asked !== null && (
        <ReplayChosen keyId={keyId} deliveries={asked} onClose={() => setAsked(null)} changed={changed} />
      )}
      <ReplayDialog keyId={keyId} open={isReplayOpen} onClose={() => setReplayOpen(false)} changed={changed} />
    </section>
  )
}
