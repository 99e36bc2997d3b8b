import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Time } from '../../../components/values/Time.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Explained } from '../parts/Ids.js'
import { Money } from '../parts/money/Money.js'
import type { ShownMovement } from './owedReport.js'

const words = consoleTexts.balances

const COLUMNS: readonly Column<ShownMovement>[] = [
  { id: 'when', title: words.when, width: '7rem', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'what',
    title: words.what,
    cell: ({ context, cause, event }) => (
      <span className="cut" title={`${cause}, ${event}`}>
        {context}
      </span>
    ),
  },
  {
    id: 'change',
    whole: true,
    title: words.change,
    width: 'minmax(0, 2fr)',
    wide: true,
    cell: ({ changes }) => (
      <span className="wrap">
        {changes.map((change) => (
          <span key={change.account}>
            <Money money={change} /> <span className="soft">
              {words.accounts[change.account] ?? change.account}
            </span>{' '}
          </span>
        ))}
      </span>
    ),
  },
  {
    id: 'request',
    title: words.request,
    cell: ({ requestId }) => (requestId === null ? texts.data.none : <Explained id={requestId} />),
  },
]

/** What movements of a wallet share: several may come in the same moment. */
const keyOf = ({ at, cause, event, changes }: ShownMovement): string =>
  `${at} ${cause} ${event} ${changes.map(({ account, amount }) => `${account} ${amount}`).join(' ')}`

/** What was posted for a wallet, newest first. */
export const Movements = ({ movements }: { readonly movements: readonly ShownMovement[] }) => (
  <DataTable
    label={words.movements}
    columns={COLUMNS}
    rows={movements}
    rowKey={keyOf}
    empty={
      <EmptyState title={words.noMovements}>
        <p>{words.noMovementsMore}</p>
      </EmptyState>
    }
  />
)
