import type { ReactNode } from 'react'
import { Timeline, type TimelineStep } from '../../../components/data/Timeline.js'
import { Notice } from '../../../components/feedback/Notice.js'
import type { Tone } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card } from '../parts/Card.js'
import { OnChain } from '../parts/Ids.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'
import type { ByHand, NextAction, Story, TimelineEntry } from './explanation.js'
import { Ledger } from './Ledger.js'
import { Payout } from './Payout.js'

const words = consoleTexts.explain

const TONES: Readonly<Record<string, Tone>> = {
  included: 'good',
  deposit: 'good',
  broadcast: 'busy',
  signed: 'busy',
  reorg: 'bad',
  'by hand': 'busy',
}

const toStep = ({ at, kind, text, chainId, txId }: TimelineEntry, index: number): TimelineStep => ({
  key: `${index} ${kind} ${at}`,
  at,
  title: words.kinds[kind] ?? kind,
  detail: (
    <>
      <span className="wrap">{text}</span>
      {chainId !== null && txId !== null && (
        <div>
          <OnChain chainId={chainId} what="transaction" id={txId} />
        </div>
      )}
    </>
  ),
  tone: TONES[kind] ?? 'plain',
})

const stepOf = ({ of, action, at, due }: NextAction): TimelineStep => ({
  key: `next ${of} ${action}`,
  at,
  title: consoleTexts.steps[action] ?? action,
  detail: `${of}, ${due}`,
  tone: 'ahead',
})

const Hands = ({ byHand }: { readonly byHand: readonly ByHand[] }) =>
  byHand.length === 0 ? null : (
    <Card title={words.byHand}>
      <ul className="tight">
        {byHand.map(({ at, actor, action, reason }) => (
          <li key={`${at} ${action}`} className="tight">
            <div className="row between">
              <span>
                <strong>{action}</strong> <span className="soft">{words.by(actor)}</span>
              </span>
              <span className="small soft">
                <Time at={at} />
              </span>
            </div>
            {reason !== null && <div className="wrap">{reason}</div>}
          </li>
        ))}
      </ul>
    </Card>
  )

/** What happened, what comes next, what was paid, and how it was booked. `children` stand above the payouts. */
export const StoryParts = ({
  story: { problems, next, timeline, payouts, byHand, ledger },
  deposited,
  children,
}: {
  readonly story: Story
  readonly deposited: ShownMoney | null
  readonly children: ReactNode
}) => (
  <>
    {problems.map((problem) => (
      <Notice key={problem} tone="warn">
        <span className="wrap">{problem}</span>
      </Notice>
    ))}
    <div className="two story-parts">
      <div className="stack">
        {children}
        {payouts.map((payout) => (
          <Payout key={payout.id} payout={payout} />
        ))}
        <Ledger ledger={ledger} deposited={deposited} />
      </div>
      <div className="stack">
        <Card title={words.timeline}>
          <Timeline steps={[...timeline.map(toStep), ...next.map(stepOf)]} />
        </Card>
        <Hands byHand={byHand} />
      </div>
    </div>
  </>
)
