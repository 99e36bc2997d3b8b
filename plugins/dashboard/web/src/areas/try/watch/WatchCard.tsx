import { useEffect, useState } from 'react'
import { useStatusEvents } from '../../../api/statusEvents.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { shortText } from '../../../components/values/amountText.js'
import { Badge, StatusBadge, toneOfStatus } from '../../../components/values/Badge.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { LiveBadge } from '../../../shell/LiveBadge.js'
import { trackTexts } from '../../../texts/trackTexts.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import { isPassing, type Transfer, useTransfer } from '../../track/transfer/transfer.js'
import { Way } from '../../track/transfer/Way.js'
import type { QuoteAmount } from '../quote/quote.js'
import { endOf, isUnsent, markRun, type Run, secondsText } from './runs.js'

const words = tryTexts.watch

const USUAL = ['sent', 'depositing', 'pending', 'submitted', 'success'] as const
const RANK: Readonly<Record<string, number>> = {
  sent: 0,
  waiting: 0,
  depositing: 1,
  pending: 2,
  submitted: 3,
  success: 4,
  failure: 4,
  refund: 5,
}

interface WatchStep {
  readonly id: string
  readonly state: 'done' | 'now' | 'ahead' | 'bad'
  /** Milliseconds since it was begun; null: passed between two looks, or ahead. */
  readonly ms: number | null
}

/** The usual steps, lit as far as the transfer is; where it went another way, that end in place of the payment. */
export const stepsOf = (run: Run): readonly WatchStep[] => {
  const end = endOf(run)
  const times = new Map<string, number>(run.marks.map(({ status, at }) => [status, at - run.beganAt]))
  if (run.sentAt !== null) times.set('sent', run.sentAt - run.beganAt)
  const reached = Math.max(run.sentAt === null ? -1 : 0, ...run.marks.map(({ status }) => RANK[status] ?? 0))
  const isUsual = end === null || end.status === 'success'
  const ids = isUsual ? USUAL : [...USUAL.filter((id) => id !== 'success' && times.has(id)), end.status]
  return ids.map((id) => {
    const rank = RANK[id] ?? 0
    const isDone = rank <= reached
    const state = id === 'failure' ? 'bad' : isDone ? 'done' : rank === reached + 1 ? 'now' : 'ahead'
    return { id, state, ms: times.get(id) ?? null }
  })
}

const amountText = ({ amount, currency }: QuoteAmount): string =>
  `${shortText(BigInt(amount), currency.decimals)} ${currency.symbol.slice(0, 24)}`

const useNow = (isRunning: boolean): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}

const Clock = ({ run }: { readonly run: Run }) => {
  const end = endOf(run)
  const now = useNow(end === null && !isUnsent(run))
  if (isUnsent(run)) return null
  if (end === null) return <span className="try-clock number">{words.running(secondsText(now - run.beganAt))}</span>
  const took = secondsText(end.at - run.beganAt)
  return <span className="try-clock number">{end.status === 'success' ? words.total(took) : words.ended(took)}</span>
}

const Steps = ({ run }: { readonly run: Run }) => (
  <ol className="watch-steps">
    {stepsOf(run).map(({ id, state, ms }) => {
      const step = words.steps[id]
      if (step === undefined) return null
      return (
        <li key={id} data-state={state}>
          <div className="row between">
            <strong>{step.title}</strong>
            <span className="small soft number" title={ms === null && state === 'done' ? words.passedHint : undefined}>
              {ms !== null ? words.at(secondsText(ms)) : state === 'done' ? words.passed : ''}
            </span>
          </div>
          <p className="small soft">{step.what}</p>
          <details className="small">
            <summary>{words.why}</summary>
            <p className="soft">{step.why}</p>
          </details>
        </li>
      )
    })}
  </ol>
)

const Links = ({ run, transfer }: { readonly run: Run; readonly transfer: Transfer | undefined }) => (
  <div className="tight">
    {run.transactionId !== null && (
      <div className="row small">
        <span className="soft">{words.payment}</span>
        <Copyable text={run.transactionId} what={words.hash} short />
      </div>
    )}
    {run.said !== null && <p className="small soft wrap">{words.said(run.said)}</p>}
    {transfer !== undefined && (
      <div className="row small">
        <a href={`/track/${run.requestId}`}>{words.track}</a>
        <a href={`/console/explain/${run.requestId}`}>{words.explain}</a>
      </div>
    )}
  </div>
)

/** One sentence about how it stands; there is always one, so that nothing below it moves. */
const Said = ({ run, status, isAway }: { readonly run: Run; readonly status: string; readonly isAway: boolean }) => {
  const { trouble, killed, from, to } = run
  if (isUnsent(run))
    return (
      <Notice tone="bad">
        <span className="wrap">
          {words.failed}: {trouble}
        </span>
      </Notice>
    )
  if (isAway) return <Notice tone="warn">{words.away}</Notice>
  if (killed?.next != null) return <Notice tone="good">{words.survived(killed.pid, killed.next)}</Notice>
  return <Notice tone={toneOfStatus(status)}>{trackTexts.sentence[status]?.(from, to)}</Notice>
}

const RunView = ({ run }: { readonly run: Run }) => {
  const { requestId } = run
  const { data, error } = useTransfer(requestId)
  useStatusEvents(requestId, ({ status, updatedAt }) => markRun(requestId, status, updatedAt))
  useEffect(() => {
    if (data !== undefined && data.status !== 'waiting') markRun(requestId, data.status, data.updatedAt)
  }, [data, requestId])
  const status = run.marks.at(-1)?.status ?? 'waiting'
  return (
    <>
      <div className="row between">
        <span className="row">
          <RunBadge run={run} />
          <strong className="wrap">{words.of(amountText(run.paid), amountText(run.got))}</strong>
        </span>
        <Clock run={run} />
      </div>
      <Said run={run} status={status} isAway={isPassing(error)} />
      {!isUnsent(run) && (
        <>
          <Way status={status} from={run.from} to={run.to} />
          <Steps run={run} />
        </>
      )}
      <Links run={run} transfer={data} />
    </>
  )
}

/** The try that is watched, step by step. */
export const WatchCard = ({ run }: { readonly run: Run | undefined }) => (
  <section className="card" aria-label={words.title} id="watch">
    <div className="card-head">
      <h2>{words.title}</h2>
      {run !== undefined && <LiveBadge />}
    </div>
    {run === undefined ? (
      <EmptyState title={words.empty}>
        <p>{words.emptyLead}</p>
      </EmptyState>
    ) : (
      <RunView key={run.requestId} run={run} />
    )}
  </section>
)

/** One word for how a try stands, in a list. */
export const RunBadge = ({ run }: { readonly run: Run }) =>
  isUnsent(run) ? (
    <Badge tone={toneOfStatus('failure')}>{words.failed}</Badge>
  ) : (
    <StatusBadge status={run.marks.at(-1)?.status ?? 'waiting'} />
  )
