import { Button } from '../../../components/controls/Button.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { AppLink } from '../../../shell/AppLink.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { texts } from '../../../texts/texts.js'
import { keyName } from '../data/keys.js'
import { ChooseFirst, IntegratorPicker, useScope } from '../data/scope.js'
import { KeyBadges } from '../keys/KeyBadges.js'
import { KeyLimits } from './KeyLimits.js'
import { useKeyLimits } from './useLimits.js'

const words = dashboardTexts.limits

/** `/dashboard/limits`: what each key may, and what is left now. */
export const LimitsPage = () => {
  const scope = useScope()
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <IntegratorPicker />
      </PageHead>
      {scope.hasOwner ? <LimitCards query={scope.query} /> : <ChooseFirst />}
    </>
  )
}

const LimitCards = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const { limits, list } = useKeyLimits(query)
  if (limits === undefined)
    return list.error ? <FailedState error={list.error} retry={() => void list.refetch()} /> : <Skeleton lines={8} />
  if (limits.length === 0 && !list.hasNextPage)
    return (
      <div className="table">
        <EmptyState title={words.empty}>
          <p>{words.emptyHow}</p>
          <Button asChild>
            <AppLink to="/dashboard/keys">{words.toKeys}</AppLink>
          </Button>
        </EmptyState>
      </div>
    )
  return (
    <>
      <div className="grid limit-cards">
        {limits.map((key) => (
          <section key={key.id} className="card" aria-label={keyName(key)}>
            <div className="card-head">
              <h2 className="wrap">
                <AppLink to={`/dashboard/keys/${key.id}`}>{keyName(key)}</AppLink>
              </h2>
              <KeyBadges apiKey={{ elevated: key.elevated, trusted: false, revokedAt: null }} />
            </div>
            <KeyLimits buckets={key.buckets} />
          </section>
        ))}
      </div>
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} disabled={list.isFetchingNextPage}>
          {texts.data.more}
        </Button>
      )}
      <p className="small soft">{words.elevatedHint}</p>
    </>
  )
}
