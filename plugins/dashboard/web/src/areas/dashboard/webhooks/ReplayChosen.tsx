import { callApi } from '../../../api/callApi.js'
import { BulkDialog } from '../../../components/data/BulkDialog.js'
import { Badge, StatusBadge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { bulkTexts } from '../../../texts/bulkTexts.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { DeliveryState } from './DeliveryState.js'
import { type Delivery, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

const Name = ({ delivery: { eventId, status, state, eventAt } }: { readonly delivery: Delivery }) => (
  <span className="row">
    <span className="mono wrap">{eventId}</span>
    <StatusBadge status={status} />
    <DeliveryState state={state} />
    <span className="small soft">
      <Time at={eventAt} />
    </span>
  </span>
)

const count = (deliveries: readonly Delivery[], state: string): number =>
  deliveries.filter((delivery) => delivery.state === state).length

/** Sends the chosen deliveries again, oldest first. */
export const ReplayChosen = ({
  keyId,
  deliveries,
  onClose,
  changed,
}: {
  readonly keyId: string
  readonly deliveries: readonly Delivery[]
  onClose(): void
  changed(): unknown
}) => (
  <BulkDialog
    title={words.replayChosen(deliveries.length)}
    lead={words.replayLead}
    total={
      <div className="row">
        <strong>{`${bulkTexts.sum}: ${deliveries.length.toLocaleString('en')}`}</strong>
        <Badge tone="bad">{words.notArrived(count(deliveries, 'parked'))}</Badge>
        <Badge tone="good">{words.arrived(count(deliveries, 'delivered'))}</Badge>
      </div>
    }
    // The list shows the newest first, and a receiver wants the oldest first.
    items={[...deliveries].reverse()}
    keyOf={({ id }) => id}
    nameOf={(delivery) => <Name delivery={delivery} />}
    act={async ({ id }) => {
      await callApi(`${webhookPath(keyId)}/deliveries/${encodeURIComponent(id)}/replay`, { method: 'POST' })
      return words.replayed
    }}
    confirm={words.replay}
    ended={changed}
    onClose={onClose}
  />
)
