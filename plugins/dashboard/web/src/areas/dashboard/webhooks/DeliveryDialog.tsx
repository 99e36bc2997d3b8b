import { useMutation, useQuery } from '@tanstack/react-query'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { Dialog } from '../../../components/controls/Dialogs.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Loaded } from '../../../components/feedback/States.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { type Fact, Facts } from '../data/Facts.js'
import { RequestRef } from '../data/RequestRef.js'
import { AttemptLine } from './AttemptLine.js'
import { DeliveryState } from './DeliveryState.js'
import { type Delivery, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

type DeliveryWithBody = Delivery & { readonly body: string }

export interface DeliveryDialogProps {
  readonly keyId: string
  /** Null: closed. */
  readonly id: string | null
  onClose(): void
  changed(): unknown
}

/** One delivery with every attempt and the bytes that are sent. */
export const DeliveryDialog = ({ keyId, id, onClose, changed }: DeliveryDialogProps) => (
  <Dialog open={id !== null} onClose={onClose} title={words.one} wide>
    {id !== null && <OneDelivery keyId={keyId} id={id} onClose={onClose} changed={changed} />}
  </Dialog>
)

const OneDelivery = ({ keyId, id, onClose, changed }: DeliveryDialogProps & { readonly id: string }) => {
  const path = `${webhookPath(keyId)}/deliveries/${encodeURIComponent(id)}`
  const query = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => callApi<DeliveryWithBody>(path, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3_000 : false),
  })
  const replay = useMutation({
    mutationFn: () => callApi(`${path}/replay`, { method: 'POST' }),
    onSuccess: async () => {
      toast(words.replayed)
      onClose()
      await changed()
    },
  })
  return (
    <>
      <Loaded query={query} lines={8}>
        {(delivery) => (
          <>
            <DeliveryFacts delivery={delivery} />
            <div className="tight">
              <h3>{words.attempts}</h3>
              {delivery.tries.length === 0 && <p className="soft">{words.noAttempts}</p>}
              {delivery.tries.map((attempt) => (
                <AttemptLine key={attempt.at} attempt={attempt} />
              ))}
            </div>
            <div className="tight">
              <Copyable text={delivery.body} shown={words.body} what={words.body} />
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
              <pre className="code short" data-wrap="true" tabIndex={0}>
                {delivery.body}
              </pre>
            </div>
          </>
        )}
      </Loaded>
      {replay.error !== null && <Notice tone="bad">{replay.error.message}</Notice>}
      <div className="dialog-end">
        <Button
          onClick={() => replay.mutate()}
          disabled={replay.isPending || query.data === undefined || query.data.state === 'waiting'}
        >
          {words.replay}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {texts.data.close}
        </Button>
      </div>
    </>
  )
}

const DeliveryFacts = ({ delivery }: { readonly delivery: Delivery }) => {
  const { requestId, reason, endedAt, nextAt, replayOf } = delivery
  const names = words.oneNames
  const facts: readonly Fact[] = [
    { name: words.deliveryColumns.state, value: <DeliveryState state={delivery.state} /> },
    { name: names.reason, value: reason },
    { name: names.event, value: <Copyable text={delivery.eventId} what={names.event} /> },
    { name: names.request, value: requestId === null ? null : <RequestRef id={requestId} /> },
    { name: names.queued, value: <Time at={delivery.queuedAt} /> },
    { name: names.ended, value: endedAt === null ? null : <Time at={endedAt} /> },
    { name: names.next, value: nextAt === null ? null : <Time at={nextAt} /> },
    { name: names.replayOf, value: replayOf },
  ]
  return <Facts facts={facts} />
}
