import { useQuery } from '@tanstack/react-query'
import { BookCheck } from 'lucide-react'
import { Button } from '../../../components/controls/Button.js'
import { CheckField } from '../../../components/controls/Field.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { checkCommand } from '../commands.js'
import { useAddressState } from '../parts/useAddressState.js'
import { Integrators } from './Integrators.js'
import { LedgerFindings } from './LedgerFindings.js'
import { LedgerTotals } from './LedgerTotals.js'
import type { LedgerReport } from './ledgerReport.js'

const words = consoleTexts.books

/** The check of the books, when it is asked for. */
export const BooksPage = () => {
  const [{ offline = '' }, change] = useAddressState()
  const query = useQuery({
    ...checkCommand<LedgerReport>({ name: 'ledger check', options: { offline: offline !== '' } }),
    enabled: false,
  })
  const { data, error, isFetching } = query
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CheckField
          label={words.offline}
          checked={offline !== ''}
          onChange={({ target }) => change({ offline: target.checked ? 'yes' : null })}
        />
        <Button kind="primary" onClick={() => void query.refetch()} disabled={isFetching}>
          <BookCheck aria-hidden />
          {isFetching ? words.running : words.run}
        </Button>
      </PageHead>
      {data !== undefined ? (
        <>
          <LedgerFindings report={data} />
          <LedgerTotals report={data} />
        </>
      ) : isFetching ? (
        <Skeleton lines={8} />
      ) : error ? (
        <FailedState error={error} retry={() => void query.refetch()} />
      ) : (
        <div className="table">
          <EmptyState title={words.notRun}>
            <p>{words.notRunMore}</p>
          </EmptyState>
        </div>
      )}
      <Integrators />
    </>
  )
}
