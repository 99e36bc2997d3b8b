import { Button } from '../../../components/controls/Button.js'
import { shortText } from '../../../components/values/amountText.js'
import { Time } from '../../../components/values/Time.js'
import { tryTexts } from '../../../texts/tryTexts.js'
import { endOf, type Run, secondsText } from './runs.js'
import { RunBadge } from './WatchCard.js'

const words = tryTexts.recent

const RunRow = ({ run, isShown, show }: { readonly run: Run; readonly isShown: boolean; show(): void }) => {
  const end = endOf(run)
  const { paid, got } = run
  const paidText = `${shortText(BigInt(paid.amount), paid.currency.decimals)} ${paid.currency.symbol.slice(0, 24)}`
  return (
    <li className="recent-row">
      <span className="tight recent-words">
        <span className="row">
          <RunBadge run={run} />
          <span className="wrap">{tryTexts.watch.of(paidText, got.currency.symbol.slice(0, 24))}</span>
        </span>
        <span className="small faint">
          {tryTexts.watch.from(run.from, run.to)} · <Time at={run.beganAt} />
          {end !== null && ` · ${tryTexts.watch.at(secondsText(end.at - run.beganAt))}`}
        </span>
      </span>
      <Button size="small" onClick={show} disabled={isShown}>
        {isShown ? words.shown : words.show}
      </Button>
    </li>
  )
}

/** What was tried since this page was opened. */
export const RecentRuns = ({
  runs,
  shown,
  show,
}: {
  readonly runs: readonly Run[]
  readonly shown: string | undefined
  show(requestId: string): void
}) => (
  <section className="card" aria-label={words.title}>
    <h2>{words.title}</h2>
    {runs.length === 0 ? (
      <p className="soft">{words.empty}</p>
    ) : (
      <ul className="recent">
        {runs.map((run) => (
          <RunRow key={run.requestId} run={run} isShown={run.requestId === shown} show={() => show(run.requestId)} />
        ))}
      </ul>
    )}
  </section>
)
