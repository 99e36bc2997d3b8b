import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { SelectField } from '../../../components/controls/Field.js'
import { BulkBar } from '../../../components/data/BulkBar.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { useChosenRows } from '../../../components/data/useChosenRows.js'
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
import { MoneyOn } from '../parts/money/Money.js'
import { useAddressState } from '../parts/useAddressState.js'
import { useBulkCommands } from '../parts/useBulkCommands.js'
import { useChains } from '../parts/useChains.js'
import { MOST, useGrowingLimit } from '../parts/useGrowingLimit.js'
import { ParkedView } from './ParkedView.js'
import { canClose, canRefund, PARKED_COMMANDS, showsKind } from './parkedBulk.js'
import type { ParkedDeposit } from './parkedDeposit.js'

const words = consoleTexts.parked

const COLUMNS: readonly Column<ParkedDeposit>[] = [
  {
    id: 'deposit',
    title: words.column,
    width: '7rem',
    cell: ({ depositId }) => <strong>{words.deposit(depositId)}</strong>,
  },
  {
    id: 'money',
    title: words.money,
    width: 'minmax(0, 1.3fr)',
    whole: true,
    cell: ({ parked }) => <MoneyOn money={parked} />,
  },
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

const keyOf = ({ depositId }: ParkedDeposit): string => depositId
const nameOf = ({ depositId }: ParkedDeposit): string => words.deposit(depositId)
const canChoose = (deposit: ParkedDeposit): boolean => canClose(deposit) || canRefund(deposit)

const COMMANDS = PARKED_COMMANDS.map((command) => ({
  ...command,
  nameOf: (deposit: ParkedDeposit) => (
    <>
      <strong>{nameOf(deposit)}</strong> <MoneyOn money={deposit.parked} />
    </>
  ),
}))

const useParked = (chain: string, kind: string) => {
  const client = useQueryClient()
  const { limit, grow, growWhole, isFull } = useGrowingLimit()
  const readUpTo = (most: number) =>
    readCommand<ParkedList>({ name: 'parked list', options: { chain, limit: String(most) } }, LIVE_MS)
  const query = useQuery({ ...readUpTo(limit), placeholderData: keepPreviousData })
  const ofKind = (list: ParkedList) => list.deposits.filter((deposit) => showsKind(kind, deposit))
  const hasMore = query.data?.more === true && !isFull
  const loadAll = async () => {
    const whole = await client.fetchQuery({ ...readUpTo(MOST), staleTime: 0 })
    growWhole()
    return ofKind(whole)
  }
  return { query, rows: query.data === undefined ? undefined : ofKind(query.data), grow, hasMore, loadAll }
}

const Filters = () => {
  const [{ chain = '', kind = '' }, change] = useAddressState()
  const { all, paid, unpaid } = words.kinds
  return (
    <>
      <SelectField
        label={words.kind}
        value={kind}
        onChange={({ target }) => change({ kind: target.value })}
        choices={[
          { value: '', text: all },
          { value: 'paid', text: paid },
          { value: 'unpaid', text: unpaid },
        ]}
      />
      <SelectField
        label={consoleTexts.parts.chain}
        value={chain}
        onChange={({ target }) => change({ chain: target.value })}
        choices={[
          { value: '', text: consoleTexts.parts.allChains },
          ...useChains().map(({ name }) => ({ value: name, text: name })),
        ]}
      />
    </>
  )
}

const List = () => {
  const [{ chain = '', kind = '' }] = useAddressState()
  const { query, rows, grow, hasMore, loadAll } = useParked(chain, kind)
  const chosen = useChosenRows({ rows, keyOf, canChoose, ...(hasMore ? { loadAll } : {}) })
  const { actions, dialog } = useBulkCommands(COMMANDS, chosen.rows.length)
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <Filters />
      </PageHead>
      <ClosePaid deposits={query.data?.deposits ?? []} />
      <BulkBar chosen={chosen} actions={actions} hasMore={hasMore} />
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={rows}
        rowKey={keyOf}
        rowHref={({ depositId }) => parkedHref(depositId)}
        selection={{ chosen, nameOf }}
        error={query.error}
        retry={() => void query.refetch()}
        hasMore={hasMore}
        isLoadingMore={query.isFetching}
        loadMore={grow}
        empty={
          <EmptyState title={kind === '' ? words.empty : words.emptyKind}>
            {kind === '' && <p>{words.emptyMore}</p>}
          </EmptyState>
        }
      />
      {dialog}
    </>
  )
}
