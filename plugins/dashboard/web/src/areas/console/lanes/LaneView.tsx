import type { UseQueryResult } from '@tanstack/react-query'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { shortened } from '../../../components/values/Copyable.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card, Fact } from '../parts/Card.js'
import { Crumb } from '../parts/Crumb.js'
import { OnChain } from '../parts/Ids.js'
import { LaneBadge } from './LaneBadge.js'
import type { LaneReport, LanesReport } from './laneReport.js'
import { ReleaseLane } from './ReleaseLane.js'
import { Unmatched } from './Unmatched.js'
import { useLaneMoney } from './useLaneMoney.js'

const words = consoleTexts.lanes

const Facts = ({ lane }: { readonly lane: LaneReport }) => (
  <Card title={words.facts} aside={<LaneBadge lane={lane} />}>
    <p className="soft">{words.hints[lane.state] ?? lane.state}</p>
    {lane.reason !== null && (
      <Notice tone={lane.state === 'quarantined' ? 'bad' : 'plain'}>
        <span className="wrap">{lane.reason}</span>
      </Notice>
    )}
    <dl className="facts">
      <Fact name={words.signer}>
        <OnChain chainId={lane.chainId} what="address" id={lane.signer} short={false} />
      </Fact>
      <Fact name={words.next}>
        <span className="mono wrap">{lane.position ?? texts.data.none}</span>
      </Fact>
      <Fact name={words.height}>{lane.height ?? texts.data.none}</Fact>
      <Fact name={words.live}>{lane.liveAttempts}</Fact>
      <Fact name={words.notFinal}>{lane.notFinal}</Fact>
      <Fact name={words.waiting}>{lane.waitingForLimit}</Fact>
      <Fact name={words.oldest}>
        {lane.oldestUnpaidAt === null ? texts.data.none : <Time at={lane.oldestUnpaidAt} />}
      </Fact>
      {lane.former && <Fact name={words.named}>{lane.named ? words.yes : words.no}</Fact>}
    </dl>
  </Card>
)

const Spending = ({ lane }: { readonly lane: LaneReport }) => {
  const money = useLaneMoney(lane.chainId)
  return (
    <Card title={words.spending}>
      {lane.spending.length === 0 ? (
        <p className="soft">{words.nothingSpent}</p>
      ) : (
        <ul className="tight">
          {lane.spending.map(({ currency, spent, limit }) => (
            <li key={currency} className="row between">
              {money(currency, spent)}
              <span className="soft">
                {words.limit}: {limit === null ? words.noLimit : money(currency, limit)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** One lane: what waits in it, and what shuts it. */
export const LaneView = ({ id, query }: { readonly id: string; readonly query: UseQueryResult<LanesReport> }) => {
  const lane = query.data?.lanes.find(({ chain, signer }) => `${chain}:${signer}` === id)
  const [chain = '', signer = ''] = id.split(':')
  return (
    <>
      <PageHead title={`${chain} ${shortened(signer, 14)}`} crumb={<Crumb href="/console/lanes" text={words.back} />}>
        {lane?.state === 'quarantined' && <ReleaseLane lane={lane} payment={null} />}
      </PageHead>
      <Loaded query={query} lines={8}>
        {() =>
          lane === undefined ? (
            <EmptyState title={words.noSuch} />
          ) : (
            <>
              <Facts lane={lane} />
              <Unmatched lane={lane} />
              <Spending lane={lane} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
