import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFailure, callApi } from '../../../api/callApi.js'
import { useSession } from '../../../api/useSession.js'
import { Button } from '../../../components/controls/Button.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { AppLink } from '../../../shell/AppLink.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { type Fact, Facts } from '../data/Facts.js'
import { type ApiKey, KEYS_PATH, type KeyPage, keyName } from '../data/keys.js'
import { KeyLimits } from '../limits/KeyLimits.js'
import { useKeyLimits } from '../limits/useLimits.js'
import { KeyActions } from './KeyActions.js'
import { KeyBadges } from './KeyBadges.js'
import { KeyEvents, type KeyHistory, KeyUse } from './KeyHistory.js'

const words = dashboardTexts.keys

/** A key stands in a list only: its pages are read until it is there. */
const useKey = (id: string) =>
  useQuery({
    queryKey: [KEYS_PATH, 'one', id],
    queryFn: async ({ signal }) => {
      let cursor: string | null = null
      do {
        const page: KeyPage = await callApi<KeyPage>(KEYS_PATH, { query: { limit: 100, cursor }, signal })
        const found: ApiKey | undefined = page.keys.find((key) => key.id === id.toLowerCase())
        if (found !== undefined) return found
        cursor = page.nextCursor
      } while (cursor !== null)
      throw new ApiFailure(words.notFound, 404, null)
    },
  })

/** `/dashboard/keys/{id}`: what a key is, what it may, how it is used, and what was done to it. */
export const OneKeyPage = ({ id }: { readonly id: string }) => {
  const query = useKey(id)
  const client = useQueryClient()
  const crumb = <AppLink to="/dashboard/keys">{words.back}</AppLink>
  if (query.data === undefined)
    return (
      <>
        <PageHead title={words.unnamed(id.slice(0, 8))} crumb={crumb} />
        {query.error instanceof ApiFailure && query.error.status === 404 ? (
          <div className="table">
            <EmptyState title={words.notFound} />
          </div>
        ) : query.error ? (
          <FailedState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </>
    )
  const key = query.data
  const changed = async () => {
    await client.invalidateQueries({ queryKey: [KEYS_PATH] })
  }
  return (
    <>
      <PageHead
        title={keyName(key)}
        crumb={crumb}
        lead={
          <span className="row">
            <KeyBadges apiKey={key} />
          </span>
        }
      >
        <KeyActions apiKey={key} changed={changed} />
      </PageHead>
      <KeyBody apiKey={key} />
    </>
  )
}

const KeyBody = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const history = useInfiniteQuery({
    queryKey: [KEYS_PATH, apiKey.id, 'history'],
    queryFn: ({ pageParam, signal }) =>
      callApi<KeyHistory>(`${KEYS_PATH}/${apiKey.id}/history`, { query: { limit: 25, cursor: pageParam }, signal }),
    // CAST: the pages are named by text, and the first by null.
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const first = history.data?.pages[0]
  return (
    <div className="two">
      <div className="stack">
        {first === undefined ? (
          history.error ? (
            <FailedState error={history.error} retry={() => void history.refetch()} />
          ) : (
            <Skeleton lines={8} />
          )
        ) : (
          <>
            <KeyUse days={first.days} />
            <KeyEvents events={history.data?.pages.flatMap(({ events }) => events) ?? []}>
              {history.hasNextPage && (
                <Button size="small" onClick={() => void history.fetchNextPage()} disabled={history.isFetchingNextPage}>
                  {texts.data.more}
                </Button>
              )}
            </KeyEvents>
          </>
        )}
      </div>
      <div className="stack">
        <KeyFacts apiKey={apiKey} history={first} />
        {apiKey.revokedAt === null && <LimitsOfKey apiKey={apiKey} />}
      </div>
    </div>
  )
}

const KeyFacts = ({ apiKey, history }: { readonly apiKey: ApiKey; readonly history: KeyHistory | undefined }) => {
  const firstUsedAt = history?.firstUsedAt ?? null
  // Times of use are written some time after the calls, which are counted before.
  const isUsed = apiKey.lastUsedAt !== null || (history?.days.length ?? 0) > 0
  const isOperator = useSession().data?.role === 'operator'
  const time = (at: string | null): ReactNode => (at === null ? words.never : <Time at={at} />)
  const facts: readonly Fact[] = [
    { name: words.names.id, value: <Copyable text={apiKey.id} what={words.names.id} short={14} /> },
    {
      name: words.names.integrator,
      value: isOperator ? <Copyable text={apiKey.integratorId} what={words.names.integrator} short={14} /> : null,
    },
    { name: words.names.start, value: apiKey.prefix === null ? null : <code>{apiKey.prefix}…</code> },
    { name: words.names.made, value: time(apiKey.createdAt) },
    {
      name: words.names.first,
      value: firstUsedAt === null && isUsed ? words.notKnown : time(firstUsedAt),
    },
    { name: words.names.last, value: apiKey.lastUsedAt === null && isUsed ? words.notKnown : time(apiKey.lastUsedAt) },
    { name: words.revokedAt, value: apiKey.revokedAt === null ? null : time(apiKey.revokedAt) },
  ]
  return (
    <section className="card" aria-label={words.facts}>
      <h2>{words.facts}</h2>
      <Facts facts={facts} side />
      <div className="row">
        <AppLink to={`/dashboard/webhooks/${apiKey.id}`}>{words.links.webhook}</AppLink>
        <AppLink to="/dashboard/requests" search={{ apiKey: apiKey.id }}>
          {words.links.requests}
        </AppLink>
        <AppLink
          to="/dashboard/usage"
          search={{ apiKey: apiKey.id, ...(isOperator ? { integratorId: apiKey.integratorId } : {}) }}
        >
          {words.links.usage}
        </AppLink>
      </div>
    </section>
  )
}

const LimitsOfKey = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const isOperator = useSession().data?.role === 'operator'
  const { limits } = useKeyLimits(isOperator ? { integratorId: apiKey.integratorId } : {})
  const own = limits?.find(({ id }) => id === apiKey.id)
  return (
    <section className="card" aria-label={words.limits}>
      <h2>{words.limits}</h2>
      {own === undefined ? <Skeleton lines={4} /> : <KeyLimits buckets={own.buckets} />}
    </section>
  )
}
