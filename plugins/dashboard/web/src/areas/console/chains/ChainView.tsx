import type { UseQueryResult } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Badge, type Tone } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card, Fact } from '../parts/Card.js'
import { CommandButton, REASON } from '../parts/CommandDialog.js'
import { Crumb } from '../parts/Crumb.js'
import { ChainBadge } from './ChainBadge.js'
import type { ChainStatus, ChainsReport, EndpointStatus } from './chainStatus.js'

const words = consoleTexts.chains

const HEALTH: Readonly<Record<string, Tone>> = { ok: 'good', lagging: 'warn', distrusted: 'bad', down: 'bad' }

const COLUMNS: readonly Column<EndpointStatus>[] = [
  { id: 'name', title: words.endpoint, cell: ({ name }) => <strong className="cut">{name}</strong> },
  {
    id: 'state',
    title: words.state,
    width: '9rem',
    cell: ({ state }) => <Badge tone={HEALTH[state] ?? 'plain'}>{words.health[state] ?? state}</Badge>,
  },
  {
    id: 'head',
    title: words.itsHead,
    cell: ({ head, behind, state }) =>
      head === null ? (
        <span className="faint">{words.notCompared}</span>
      ) : (
        <span className="number">
          {head}{' '}
          <span className="soft small">
            {state === 'distrusted' ? words.notBelieved : behind === null ? '' : words.behindOthers(behind)}
          </span>
        </span>
      ),
  },
  {
    id: 'age',
    title: words.headAge,
    width: 'minmax(0, 0.6fr)',
    cell: ({ headAgeMs }) => (headAgeMs === null ? texts.data.none : words.age(Math.round(headAgeMs / 1000))),
  },
  {
    id: 'why',
    title: consoleTexts.parts.why,
    width: 'minmax(0, 2fr)',
    wide: true,
    cell: ({ reason }) => (
      <span className="cut" title={reason ?? undefined}>
        {reason ?? texts.data.none}
      </span>
    ),
  },
]

const Halt = ({ chain: { slug, halt } }: { readonly chain: ChainStatus }) =>
  halt === null ? null : (
    <Notice tone="bad">
      <div className="stack">
        <div className="tight">
          <strong>{words.halted(halt.replaced)}</strong>
          <span>
            {words.haltWaits(halt.requests, halt.payouts)} <Time at={halt.haltedAt} />
          </span>
          <span>{words.haltAdvice}</span>
        </div>
        <div>
          <CommandButton
            text={words.release}
            title={words.release}
            effect={() => words.releaseEffect(slug)}
            fields={[REASON]}
            call={({ reason = '' }) => ({ name: 'halts release', arguments: [slug], options: { reason } })}
            retype={() => slug}
            confirm={words.release}
            danger
          />
        </div>
      </div>
    </Notice>
  )

const RescanButton = ({ slug, height }: { readonly slug: string; readonly height: string }) => (
  <CommandButton
    text={words.rescan}
    title={words.rescan}
    effect={() => words.rescanEffect(slug)}
    fields={[
      { name: 'from', label: words.rescanFrom, needed: true },
      { name: 'to', label: words.rescanTo, hint: words.rescanToHint(height), needed: true, first: height },
    ]}
    call={({ from = '', to = '' }) => ({ name: 'deposits rescan', options: { chain: slug, from, to } })}
    confirm={words.rescan}
  />
)

const Facts = ({ chain }: { readonly chain: ChainStatus }) => (
  <Card title={words.facts} aside={<ChainBadge chain={chain} />}>
    <dl className="facts">
      <Fact name={words.id}>{chain.chainId}</Fact>
      <Fact name={words.kind}>{chain.vmType}</Fact>
      <Fact name={words.height}>
        {chain.head === null
          ? (chain.why ?? texts.data.none)
          : `${chain.head.height}, ${words.age(chain.head.ageSeconds)}`}
      </Fact>
      <Fact name={words.watcher}>
        {chain.watcher === null
          ? words.nothingRead
          : `${chain.watcher.height}, ${words.behind(chain.watcher.lagBlocks ?? '?')}, ${words.watcherAge(chain.watcher.ageSeconds)}`}
      </Fact>
      <Fact name={words.quorum}>
        {words.quorumOf(chain.quorum.trusted, chain.quorum.needed)}
        <div className="soft small">{words.quorumHint}</div>
      </Fact>
    </dl>
  </Card>
)

const Alerts = ({ chain: { alerts } }: { readonly chain: ChainStatus }) => (
  <Card title={words.alerts} aside={<Badge tone={alerts.length === 0 ? 'good' : 'warn'}>{alerts.length}</Badge>}>
    {alerts.length === 0 ? (
      <EmptyState title={words.noAlerts}>
        <p>{words.noAlertsMore}</p>
      </EmptyState>
    ) : (
      <ul className="stack">
        {alerts.map(({ kind, subject, details, firstSeen, count }) => (
          <li key={`${kind} ${subject}`} className="tight">
            <div className="row between">
              <strong className="wrap">{`${kind} ${subject}`}</strong>
              <span className="small soft">
                {words.times(count)}, <Time at={firstSeen} />
              </span>
            </div>
            <p className="wrap soft">{details}</p>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

const Shown = ({ chain }: { readonly chain: ChainStatus }) => (
  <>
    <Halt chain={chain} />
    <Facts chain={chain} />
    <Card title={words.endpoints}>
      <DataTable
        label={words.endpoints}
        columns={COLUMNS}
        rows={chain.endpoints}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title={words.noEndpoints}>
            <p>{words.noEndpointsMore}</p>
          </EmptyState>
        }
        leastWidth={700}
      />
    </Card>
    <Alerts chain={chain} />
  </>
)

/** One chain: who says what of it, and what keeps money back. */
export const ChainView = ({ slug, query }: { readonly slug: string; readonly query: UseQueryResult<ChainsReport> }) => {
  const chain = query.data?.chains.find((each) => each.slug === slug)
  return (
    <>
      <PageHead title={slug} lead={chain?.name} crumb={<Crumb href="/console/chains" text={words.back} />}>
        {chain?.watcher != null && <RescanButton slug={slug} height={chain.watcher.height} />}
      </PageHead>
      <Loaded query={query} lines={8}>
        {() => (chain === undefined ? <EmptyState title={words.unknown} /> : <Shown chain={chain} />)}
      </Loaded>
    </>
  )
}
