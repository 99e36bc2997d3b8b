import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { Button } from '../../../components/controls/Button.js'
import { ConfirmDialog } from '../../../components/controls/Dialogs.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { toast } from '../../../components/feedback/Toasts.js'
import { Badge } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { withFreshSignIn } from '../../../shell/session/SignInAgain.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { Facts } from '../data/Facts.js'
import { AttemptLine } from './AttemptLine.js'
import { type Attempt, type Endpoint, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

interface EndpointCardProps {
  readonly keyId: string
  readonly endpoint: Endpoint
  edit(): void
  showSecret(secret: string): void
  changed(): Promise<void>
}

const StateBadge = ({ endpoint: { enabled, failingSince } }: { readonly endpoint: Endpoint }) => {
  if (!enabled) return <Badge tone="bad">{words.states.off}</Badge>
  return failingSince === null ? (
    <Badge tone="good">{words.states.on}</Badge>
  ) : (
    <Badge tone="warn">{words.states.failing}</Badge>
  )
}

/** An endpoint, how it does, and what can be done with it. */
export const EndpointCard = (props: EndpointCardProps) => {
  const { endpoint, edit } = props
  return (
    <section className="card" aria-label={words.endpoint}>
      <div className="card-head">
        <div className="row endpoint-url">
          <StateBadge endpoint={endpoint} />
          <Copyable text={endpoint.url} what={words.url} />
        </div>
        <Button onClick={edit}>{words.change}</Button>
      </div>
      <Trouble endpoint={endpoint} />
      <Facts
        facts={[
          {
            name: words.names.headers,
            value: endpoint.headers.length === 0 ? words.noHeaders : endpoint.headers.join(', '),
          },
          { name: words.names.made, value: <Time at={endpoint.createdAt} /> },
          { name: words.names.changed, value: <Time at={endpoint.changedAt} /> },
        ]}
      />
      <EndpointActions {...props} />
    </section>
  )
}

const Trouble = ({ endpoint: { enabled, disabledReason, failingSince } }: { readonly endpoint: Endpoint }) => {
  if (!enabled)
    return <Notice tone="bad">{(disabledReason !== null && words.off[disabledReason]) || words.offOther}</Notice>
  if (failingSince === null) return null
  return (
    <Notice tone="warn">
      {words.failingSince} <Time at={failingSince} />
    </Notice>
  )
}

const EndpointActions = ({ keyId, endpoint, edit, showSecret, changed }: EndpointCardProps) => {
  const [dialog, setDialog] = useState<'secret' | 'remove' | null>(null)
  const path = webhookPath(keyId)
  const test = useMutation({
    mutationFn: () => callApi<{ delivered: boolean; try: Attempt }>(`${path}/test`, { method: 'POST' }),
    onSettled: changed,
  })
  const turn = useMutation({
    mutationFn: () => callApi(path, { method: 'PUT', body: { url: endpoint.url, enabled: !endpoint.enabled } }),
    onSuccess: async () => {
      await changed()
      toast(words.saved)
    },
    onError: (error) => toast(error.message, 'bad'),
  })
  // Whatever is not given with a change is gone, and the values of headers are known to nobody here.
  const turnOver = () => {
    if (endpoint.headers.length === 0) return turn.mutate()
    toast(words.needsHeaders, 'bad')
    edit()
  }
  return (
    <>
      <div className="row">
        <Button onClick={() => test.mutate()} disabled={test.isPending}>
          {test.isPending ? words.testing : words.test}
        </Button>
        <Button onClick={turnOver} disabled={turn.isPending}>
          {endpoint.enabled ? words.turnOff : words.turnOn}
        </Button>
        <Button onClick={() => setDialog('secret')}>{words.newSecret}</Button>
        <Button kind="danger" onClick={() => setDialog('remove')}>
          {words.remove}
        </Button>
      </div>
      {test.error !== null && <Notice tone="bad">{test.error.message}</Notice>}
      {test.data !== undefined && (
        <Notice tone={test.data.delivered ? 'good' : 'bad'}>
          <strong>{test.data.delivered ? words.testGood(test.data.try.milliseconds) : words.testBad}</strong>
          <AttemptLine attempt={test.data.try} />
        </Notice>
      )}
      <ConfirmDialog
        open={dialog === 'secret'}
        onClose={() => setDialog(null)}
        title={words.newSecretTitle}
        lead={words.newSecretLead}
        confirm={words.newSecret}
        danger
        act={async () => {
          const { secret } = await withFreshSignIn(() =>
            callApi<{ secret: string }>(`${path}/secret`, { method: 'POST' }),
          )
          setDialog(null)
          showSecret(secret)
          await changed()
        }}
      />
      <ConfirmDialog
        open={dialog === 'remove'}
        onClose={() => setDialog(null)}
        title={words.removeTitle}
        lead={words.removeLead}
        confirm={words.remove}
        danger
        act={async () => {
          await callApi(path, { method: 'DELETE' })
          setDialog(null)
          await changed()
          toast(words.removed)
        }}
      />
    </>
  )
}
