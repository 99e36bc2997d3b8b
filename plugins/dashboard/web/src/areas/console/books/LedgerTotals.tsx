import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card } from '../parts/Card.js'
import { Money } from '../parts/money/Money.js'
import { isZero } from '../parts/money/shownMoney.js'
import { useChainName } from '../parts/useChains.js'
import type { LedgerReport, LedgerTotal } from './ledgerReport.js'

const words = consoleTexts.books

const Chain = ({ id }: { readonly id: number }) => <span className="cut">{useChainName()(id)}</span>

const COLUMNS: readonly Column<LedgerTotal>[] = [
  { id: 'account', title: words.account, cell: ({ account }) => <strong className="cut">{account}</strong> },
  { id: 'chain', title: consoleTexts.parts.chain, cell: ({ chainId }) => <Chain id={chainId} /> },
  {
    id: 'amount',
    title: consoleTexts.parts.amount,
    align: 'end',
    whole: true,
    cell: (total) => <Money money={total} />,
  },
  {
    id: 'holder',
    title: words.holder,
    width: 'minmax(0, 1.4fr)',
    wide: true,
    cell: ({ integratorId }) => (
      <span className="mono cut" title={integratorId}>
        {integratorId ?? texts.data.none}
      </span>
    ),
  },
]

/** What every account holds; zeros are left out. */
export const LedgerTotals = ({ report: { totals } }: { readonly report: LedgerReport }) => (
  <Card title={words.totals} aside={<span className="small faint">{words.hideZero}</span>}>
    <DataTable
      label={words.totals}
      columns={COLUMNS}
      rows={totals.filter(({ amount }) => !isZero(amount))}
      rowKey={({ account, chainId, currency, integratorId }) =>
        `${account} ${chainId} ${currency} ${integratorId ?? ''}`
      }
      empty={
        <EmptyState title={words.noTotals}>
          <p>{words.noTotalsMore}</p>
        </EmptyState>
      }
    />
  </Card>
)
