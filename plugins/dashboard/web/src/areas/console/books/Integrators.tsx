import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { Card } from '../parts/Card.js'
import { MoneyOn } from '../parts/money/Money.js'
import type { ShownMoney } from '../parts/money/shownMoney.js'

const words = consoleTexts.books

type Owed = ShownMoney & { readonly integratorId: string }

const COLUMNS: readonly Column<Owed>[] = [
  {
    id: 'integrator',
    title: words.integrator,
    wide: true,
    cell: ({ integratorId }) => (
      <span className="mono cut" title={integratorId}>
        {integratorId}
      </span>
    ),
  },
  {
    id: 'amount',
    title: consoleTexts.parts.amount,
    align: 'end',
    whole: true,
    cell: (owed) => <MoneyOn money={owed} />,
  },
]

/** What integrators without a funding wallet have coming. */
export const Integrators = () => {
  const query = useQuery(readCommand<{ readonly owed: readonly Owed[] }>({ name: 'ledger integrators' }, 30_000))
  return (
    <Card title={words.integrators}>
      <p className="soft">{words.integratorsLead}</p>
      <DataTable
        label={words.integrators}
        columns={COLUMNS}
        rows={query.data?.owed}
        rowKey={({ integratorId, chainId, currency }) => `${integratorId} ${chainId} ${currency}`}
        error={query.error}
        retry={() => void query.refetch()}
        empty={
          <EmptyState title={words.noIntegrators}>
            <p>{words.noIntegratorsMore}</p>
          </EmptyState>
        }
      />
    </Card>
  )
}
