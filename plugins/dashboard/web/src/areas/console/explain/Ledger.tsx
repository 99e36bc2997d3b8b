import { MoneyFlow } from '../../../components/data/MoneyFlow.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { Card } from '../parts/Card.js'
import { MoneyOn, symbolOf } from '../parts/money/Money.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'
import type { LedgerExplanation, LedgerMoney, LedgerTransaction } from './explanation.js'
import { type Flow, sumsToZero, wentOf } from './sums.js'

const words = consoleTexts.explain

const Entries = ({ entries }: { readonly entries: readonly LedgerMoney[] }) => (
  <ul className="postings">
    {entries.map((entry) => (
      <li key={`${entry.account} ${entry.holder ?? ''} ${entry.chainId} ${entry.currency} ${entry.amount}`}>
        <span className="cut" title={entry.holder ?? undefined}>
          {entry.account}
          {entry.holder !== null && <span className="soft"> {entry.holder}</span>}
        </span>
        <MoneyOn money={entry} />
      </li>
    ))}
  </ul>
)

const Zero = ({ isZero }: { readonly isZero: boolean }) => (
  <Badge tone={isZero ? 'good' : 'bad'}>{isZero ? words.zero : words.notZero}</Badge>
)

const Posting = ({ transaction: { cause, event, at, entries } }: { readonly transaction: LedgerTransaction }) => (
  <li className="tight posting">
    <div className="posting-head">
      <span className="mono small cut" title={`${cause} ${event}`}>
        {cause}
      </span>
      <span className="row posting-end">
        <span className="small soft">
          <Time at={at} />
        </span>
        <Zero isZero={sumsToZero(entries)} />
      </span>
    </div>
    <Entries entries={entries} />
  </li>
)

const Went = ({ flow: { whole, parts } }: { readonly flow: Flow }) => (
  <Card title={words.went}>
    <MoneyFlow
      whole={{ name: words.fromDeposit, amount: whole.amount }}
      parts={parts.map(({ account, amount }) => ({ name: words.parts[account] ?? account, amount }))}
      decimals={whole.decimals ?? 0}
      symbol={symbolOf(whole)}
      rest={words.restOfDeposit}
      exact
    />
  </Card>
)

/** Where the deposit went, and every posting of it. */
export const Ledger = ({
  ledger: { transactions, totals, sumsToZero: isZero },
  deposited,
}: {
  readonly ledger: LedgerExplanation
  readonly deposited: ShownMoney | null
}) => {
  const flow = deposited === null ? null : wentOf(transactions, deposited)
  const left = totals.filter(({ amount }) => amount !== '0')
  return (
    <>
      {flow !== null && <Went flow={flow} />}
      <Card title={words.ledger} aside={<Zero isZero={isZero} />}>
        <p className="soft">{transactions.length === 0 ? words.noPostings : words.ledgerLead}</p>
        <ul className="stack">
          {transactions.map((transaction) => (
            <Posting key={`${transaction.cause} ${transaction.event}`} transaction={transaction} />
          ))}
        </ul>
        {left.length > 0 && (
          <div className="tight posting">
            <h3>{words.totals}</h3>
            <Entries entries={left} />
          </div>
        )}
      </Card>
    </>
  )
}
