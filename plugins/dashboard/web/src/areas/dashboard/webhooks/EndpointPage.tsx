import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import { Button } from '../../../components/controls/Button.js'
import { SelectField } from '../../../components/controls/Field.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { AppLink } from '../../../shell/AppLink.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { KEYS_PATH, keyName, useKeyChoices } from '../data/keys.js'
import { useScope } from '../data/scope.js'
import { SecretDialog } from '../keys/SecretDialog.js'
import { Deliveries } from './Deliveries.js'
import { EndpointCard } from './EndpointCard.js'
import { EndpointForm } from './EndpointForm.js'
import { type Endpoint, webhookPath } from './webhook.js'

const words = dashboardTexts.webhooks

/** The endpoint of a key; null: it has none. */
const useEndpoint = (keyId: string) =>
  useQuery({
    queryKey: ['webhook', keyId],
    queryFn: async ({ signal }) => {
      try {
        return await callApi<Endpoint>(webhookPath(keyId), { signal })
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 404) throw error
        // Either the key has none, or there is no such key: then this fails as well.
        await callApi(`${KEYS_PATH}/${encodeURIComponent(keyId)}/history`, { query: { limit: 1 }, signal })
        return null
      }
    },
    refetchInterval: whileShown(15_000),
  })

/** `/dashboard/webhooks/{key}`: where events go, whether they arrive, and sending them again. */
export const EndpointPage = ({ keyId }: { readonly keyId: string }) => {
  const query = useEndpoint(keyId)
  const client = useQueryClient()
  const [isFormOpen, setFormOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['webhook', keyId] })
  }
  const endpoint = query.data
  return (
    <>
      <PageHead title={words.endpoint} crumb={<AppLink to="/dashboard/webhooks">{words.back}</AppLink>}>
        <KeyChoice keyId={keyId} />
      </PageHead>
      {endpoint === undefined &&
        (query.error instanceof ApiFailure && query.error.status === 404 ? (
          <div className="table">
            <EmptyState title={dashboardTexts.keys.notFound} />
          </div>
        ) : query.error ? (
          <FailedState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={8} />
        ))}
      {endpoint === null && (
        <div className="table">
          <EmptyState title={words.none}>
            <p>{words.noneHow}</p>
            <Button kind="primary" onClick={() => setFormOpen(true)}>
              {words.set}
            </Button>
          </EmptyState>
        </div>
      )}
      {endpoint != null && (
        <>
          <EndpointCard
            keyId={keyId}
            endpoint={endpoint}
            edit={() => setFormOpen(true)}
            showSecret={setSecret}
            changed={changed}
          />
          <Deliveries keyId={keyId} />
        </>
      )}
      <EndpointForm
        key={`${endpoint?.changedAt ?? ''} ${isFormOpen}`}
        open={isFormOpen}
        onClose={() => setFormOpen(false)}
        keyId={keyId}
        endpoint={endpoint ?? null}
        showSecret={setSecret}
        changed={changed}
      />
      <SecretDialog
        secret={secret}
        title={words.secret.title}
        warning={words.secret.warning}
        name={words.secret.name}
        onClose={() => setSecret(null)}
      >
        <a href="/documentation" target="_blank" rel="noreferrer">
          {words.secret.check}
        </a>
      </SecretDialog>
    </>
  )
}

const KeyChoice = ({ keyId }: { readonly keyId: string }) => {
  const scope = useScope()
  const navigate = useNavigate()
  const keys = useKeyChoices(scope.query).data ?? []
  const choices = keys.map((key) => ({ value: key.id, text: keyName(key) }))
  return (
    <div className="head-choice">
      <SelectField
        label={words.keyOf}
        choices={
          keys.some(({ id }) => id === keyId) ? choices : [{ value: keyId, text: keyId.slice(0, 8) }, ...choices]
        }
        value={keyId}
        onChange={({ target }) => void navigate({ to: `/dashboard/webhooks/${target.value}` })}
      />
    </div>
  )
}
