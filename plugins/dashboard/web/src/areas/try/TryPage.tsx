import { useState } from 'react'
import { Loaded } from '../../components/feedback/States.js'
import { PageHead } from '../../shell/PageHead.js'
import { texts } from '../../texts/texts.js'
import { tryTexts } from '../../texts/tryTexts.js'
import { isPassing } from '../track/transfer/transfer.js'
import { About } from './About.js'
import { HostCard } from './host/HostCard.js'
import { useKill } from './host/kill.js'
import { PayCard } from './pay/PayCard.js'
import { QuoteCard } from './quote/QuoteCard.js'
import { useQuote } from './quote/quote.js'
import { RouteForm } from './route/RouteForm.js'
import { quoteBodyOf, type RouteSearch, routeOf, type TryRoute, useRouteSearch } from './route/tryRoute.js'
import { type Sandbox, useSandbox } from './sandbox/sandbox.js'
import { TroubleCard } from './trouble/TroubleCard.js'
import { RecentRuns } from './watch/RecentRuns.js'
import { useRuns } from './watch/runs.js'
import { WatchCard } from './watch/WatchCard.js'

const words = tryTexts

interface WorkProps {
  readonly sandbox: Sandbox
  readonly route: TryRoute
  readonly isAway: boolean
  change(part: RouteSearch): void
}

/** On a narrow screen what is watched comes into sight. */
const showWatch = () => document.getElementById('watch')?.scrollIntoView({ block: 'nearest' })

const Work = ({ sandbox, route, isAway, change }: WorkProps) => {
  const runs = useRuns()
  const [shown, setShown] = useState<string | undefined>(undefined)
  const [isPaying, setPaying] = useState(false)
  const body = quoteBodyOf(route)
  const { data: quote, error, isCurrent, dataUpdatedAt } = useQuote(body, isPaying)
  // A price that is only old stays in sight while the host is away.
  const shownError = isPassing(error) && quote !== undefined ? null : error
  const { killed, trouble, isAsking, kill } = useKill(sandbox)
  const run = runs.find(({ requestId }) => requestId === shown) ?? runs[0]
  const show = (requestId: string) => {
    setShown(requestId)
    requestAnimationFrame(showWatch)
  }
  return (
    <>
      <div className="try-choose">
        <RouteForm {...{ sandbox, route, change }} />
        <QuoteCard
          {...{ quote, isCurrent, isPaying }}
          error={shownError}
          hasBody={body !== null}
          askedAt={dataUpdatedAt}
        />
        <PayCard
          route={route}
          quote={body !== null && error === null && isCurrent ? (quote ?? null) : null}
          mainnetIds={sandbox.mainnetIds}
          {...{ isPaying, isAway, setPaying, kill }}
          onBegin={show}
        />
      </div>
      <div className="try-columns">
        <WatchCard run={run} />
        <HostCard
          host={sandbox.host}
          {...{ isAway, killed, trouble, isAsking }}
          kill={() => void kill()}
          marked={run === undefined ? [] : [run.requestId]}
        />
      </div>
      <div className="try-columns">
        <TroubleCard isAway={isAway} />
        <RecentRuns runs={runs} shown={run?.requestId} show={show} />
      </div>
    </>
  )
}

/** Where a newcomer makes a transfer, and sees what becomes of it. */
export const TryPage = () => {
  const query = useSandbox()
  const [search, change] = useRouteSearch()
  const isAway = isPassing(query.error)
  return (
    <>
      <PageHead title={texts.areas.try} lead={words.lead} />
      <About />
      <Loaded query={query} lines={12}>
        {(sandbox) => {
          const route = routeOf(sandbox, search)
          return route === null ? null : <Work {...{ sandbox, route, isAway, change }} />
        }}
      </Loaded>
    </>
  )
}
