import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api/callApi.js'
import { whileShown } from '../../../api/queryClient.js'
import { useStatusEvents } from '../../../api/statusEvents.js'
import { Skeleton } from '../../../components/feedback/States.js'
import { AppLink } from '../../../shell/AppLink.js'
import { ExtensionPanels } from '../../../shell/extensions/ExtensionPanels.js'
import { LiveBadge } from '../../../shell/LiveBadge.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { KEYS_PATH, useKeyChoices } from '../data/keys.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { CreateKey } from '../keys/CreateKey.js'
import { REQUESTS_PATH, RequestTable } from '../requests/RequestTable.js'
import type { RequestRecord } from '../requests/requestRecord.js'
import { Counts } from './Counts.js'
import { FirstSteps } from './FirstSteps.js'

const words = dashboardTexts.overview
const RECENT = 8
const REFRESH_MS = 10_000

/** `/dashboard`: first steps for a newcomer, then how it goes. */
export const OverviewPage = () => {
  const scope = useScope()
  const client = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  /** Of a key that was made on this page: gone with the page. */
  const [newKey, setNewKey] = useState<string | null>(null)
  const keys = useKeyChoices(scope.query)
  const recent = useQuery({
    queryKey: [REQUESTS_PATH, 'recent', scope.query],
    queryFn: async ({ signal }) =>
      (
        await callApi<{ requests: readonly RequestRecord[] }>(REQUESTS_PATH, {
          query: { ...scope.query, limit: RECENT },
          signal,
        })
      ).requests,
    refetchInterval: whileShown(REFRESH_MS),
  })
  // One followed request keeps the connection open by which the page hears of changes.
  useStatusEvents(recent.data?.[0]?.id ?? null, () => void recent.refetch())
  const isNew = recent.data?.length === 0
  const live = keys.data?.filter(({ revokedAt }) => revokedAt === null)
  const steps = (
    <FirstSteps
      hasKey={live === undefined ? null : live.length > 0}
      webhookKey={live?.[0]?.id ?? null}
      newKey={newKey}
      create={() => setCreating(true)}
    />
  )
  return (
    <>
      <PageHead title={words.title} lead={words.hello(scope.name)}>
        <LiveBadge />
        <IntegratorPicker />
      </PageHead>
      {recent.data === undefined && recent.error === null && <Skeleton lines={10} />}
      {isNew && steps}
      {recent.data !== undefined && !isNew && <Counts scope={scope.query} keysInUse={live?.length ?? null} />}
      {(recent.error !== null || (recent.data !== undefined && !isNew)) && (
        <section className="stack" aria-label={words.recent}>
          <div className="card-head">
            <h2>{words.recent}</h2>
            <AppLink to="/dashboard/requests">{words.all}</AppLink>
          </div>
          <RequestTable rows={recent.data} error={recent.error} retry={() => void recent.refetch()} empty={null} />
        </section>
      )}
      <ExtensionPanels />
      {recent.data !== undefined && !isNew && (
        <details className="card">
          <summary>
            <h2>{words.first}</h2>
          </summary>
          {steps}
        </details>
      )}
      <CreateKey
        open={isCreating}
        onClose={() => setCreating(false)}
        made={(apiKey) => {
          setNewKey(apiKey)
          return client.invalidateQueries({ queryKey: [KEYS_PATH] })
        }}
      />
    </>
  )
}
