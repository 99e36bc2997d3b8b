import { ApiFailure } from '../../../api/callApi.js'
import { SelectField } from '../../../components/controls/Field.js'
import { TabPages } from '../../../components/controls/TabPages.js'
import { EmptyState, FailedState, Skeleton } from '../../../components/feedback/States.js'
import { Copyable } from '../../../components/values/Copyable.js'
import { useAddress } from '../../../shell/address.js'
import { PageHead } from '../../../shell/PageHead.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { IntegratorPicker, useScope } from '../data/scope.js'
import { Claims } from './Claims.js'
import { Movements } from './Movements.js'
import { Owed } from './Owed.js'
import { Spending } from './Spending.js'
import { Statement } from './Statement.js'
import { type Balances, useBalances, type WalletQuery } from './wallet.js'

const words = dashboardTexts.balance
const OFS = ['funding', 'own'] as const
const TABS = ['balance', 'claims', 'movements', 'spending', 'statement'] as const

/** `/dashboard/balance`: the money of a wallet, and its books. */
export const BalancePage = () => {
  const scope = useScope()
  const { values, change } = useAddress()
  const of = OFS.find((each) => each === values.of)
  const query: WalletQuery = { ...scope.query, ...(of === undefined ? {} : { of }) }
  const balances = useBalances(query)
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <IntegratorPicker />
        <div className="head-choice">
          <SelectField
            label={words.of}
            choices={[
              { value: '', text: words.ofs.default },
              ...OFS.map((value) => ({ value, text: words.ofs[value] })),
            ]}
            value={of ?? ''}
            onChange={({ target }) => change({ of: target.value })}
          />
        </div>
      </PageHead>
      <Body query={query} balances={balances} />
    </>
  )
}

const Body = ({
  query,
  balances,
}: {
  readonly query: WalletQuery
  readonly balances: ReturnType<typeof useBalances>
}) => {
  const { data, error } = balances
  // A refusal stands even while an older answer of it is there.
  if (error instanceof ApiFailure && (error.status === 404 || error.status === 403))
    return (
      <div className="table">
        <EmptyState title={words.noWallet}>
          <p>{error.message}</p>
          <p>{words.noWalletHow}</p>
        </EmptyState>
      </div>
    )
  if (data === undefined)
    return error ? <FailedState error={error} retry={() => void balances.refetch()} /> : <Skeleton lines={8} />
  return <Views query={query} data={data} />
}

const Views = ({ query, data }: { readonly query: WalletQuery; readonly data: Balances }) => {
  const { values, change } = useAddress()
  const tab = TABS.find((each) => each === values.view) ?? 'balance'
  const content = {
    balance: <Owed data={data} />,
    claims: <Claims query={query} />,
    movements: <Movements query={query} />,
    spending: <Spending query={query} />,
    statement: <Statement query={query} />,
  }
  return (
    <>
      <p className="row">
        <span className="soft">{words.kinds[data.of] ?? data.of}</span>
        <Copyable text={data.wallet} what={words.wallet} />
      </p>
      <TabPages
        label={words.tabsLabel}
        value={tab}
        onChange={(view) => change({ view: view === 'balance' ? null : view })}
        pages={TABS.map((id) => ({ id, title: words.tabs[id], content: content[id] }))}
      />
    </>
  )
}
