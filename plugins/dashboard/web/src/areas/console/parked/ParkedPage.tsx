import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/controls/Field.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Badge } from '../../../components/values/Badge.js'
import { Time } from '../../../components/values/Time.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { LIVE_MS, readCommand } from '../commands.js'
import { CommandButton, REASON } from '../parts/CommandDialog.js'
import { parkedHref } from '../parts/hrefs.js'
import { MoneyOn } from '../parts/Money.js'
import { useAddressState } from '../parts/useAddressState.js'
import { useChains } from '../parts/useChains.js'
import { useGrowingLimit } from '../parts/useGrowingLimit.js'
import { ParkedView } from './ParkedView.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const words = consoleTexts.parked

const COLUMNS: readonly Column<ParkedDeposit>[] = [
  {
    id: 'deposit',
    title: words.column,
    width: '7rem',
    cell: ({ depositId }) => <strong>{words.deposit(depositId)}</strong>,
  },
  { id: 'money', title: words.money, cell: ({ parked }) => <MoneyOn money={parked} /> },
  {
    id: 'why',
    title: words.why,
    width: 'minmax(0, 1.6fr)',
    wide: true,
    cell: ({ reason }) => (
      <span className="cut" title={reason}>
        {reason}
      </span>
    ),
  },
  {
    id: 'paid',
    title: words.paid,
    width: '8.5rem',
    cell: ({ paidBy }) =>
      paidBy.length === 0 ? (
        <span className="faint">{texts.data.none}</span>
      ) : (
        <Badge tone="bad">{words.paidBefore}</Badge>
      ),
  },
  { id: 'seen', title: words.seen, width: '7rem', cell: ({ seenAt }) => <Time at={seenAt} /> },
]

interface ParkedList {
  readonly deposits: readonly ParkedDeposit[]
  readonly more: boolean
}

/** Deposits that wait for an operator, or the one that the address names. */
export const ParkedPage = ({ id }: { readonly id: string | null }) =>
  id === null ? <List /> : <ParkedView number={id} />

/** After a restore a hundred deposits may be of this kind. */
const ClosePaid = ({ deposits }: { readonly deposits: readonly ParkedDeposit[] }) => {
  const count = deposits.filter(({ paidBy }) => paidBy.length > 0).length
  if (count === 0) return null
  return (
    <Notice tone="warn">
      <div className="row between">
        <span>{words.paidCount(count)}</span>
        <CommandButton
          text={words.closeAll}
          kind="primary"
          title={words.closeAll}
          effect={() => words.closeAllEffect}
          fields={[REASON]}
          call={({ reason = '' }) => ({
            name: 'parked close',
            arguments: ['all'],
            options: { 'all-paid': true, reason },
          })}
          retype={() => 'all'}
          confirm={words.closeAll}
        />
      </div>
    </Notice>
  )
}

const List = () => {
  const [{ chain = '' }, change] = useAddressState()
  const chains = useChains()
  const { limit, grow, isFull } = useGrowingLimit()
  const query = useQuery({
    ...readCommand<ParkedList>({ name: 'parked list', options: { chain, limit: String(limit) } }, LIVE_MS),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <SelectField
          label={consoleTexts.parts.chain}
          value={chain}
          onChange={({ target }) => change({ chain: target.value })}
          choices={[
            { value: '', text: consoleTexts.parts.allChains },
            ...chains.map(({ name }) => ({ value: name, text: name })),
          ]}
        />
      </PageHead>
      <ClosePaid deposits={query.data?.deposits ?? []} />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={query.data?.deposits}
        rowKey={({ depositId }) => depositId}
        rowHref={({ depositId }) => parkedHref(depositId)}
        error={query.error}
        retry={() => void query.refetch()}
        hasMore={query.data?.more === true && !isFull}
        isLoadingMore={query.isFetching}
        loadMore={grow}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
      />
    </>
  )
}
