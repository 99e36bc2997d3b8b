import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { Amount } from '../../../components/values/Amount.js'
import { usdText } from '../../../components/values/amountText.js'
import { dashboardTexts } from '../../../texts/dashboardTexts.js'
import { useChains } from '../data/chains.js'
import { ClaimDialog } from './ClaimDialog.js'
import { TopUp } from './TopUp.js'
import { BALANCES_PATH, type Balances, type OwedAmount } from './wallet.js'

const words = dashboardTexts.balance

/** What a wallet is owed, to be claimed, and how more is paid in. */
export const Owed = ({ data }: { readonly data: Balances }) => (
  <>
    <dl className="grid stats">
      {(
        [
          [words.total, data.totalBalanceUsd, null],
          [words.available, data.availableBalanceUsd, null],
          [words.held, data.outstandingFastFillBalanceUsd, words.heldHint],
        ] as const
      ).map(([name, usd, hint]) => (
        <div key={name} className="stat">
          <dt>{name}</dt>
          <dd>{usdText(usd.toFixed(2))}</dd>
          {hint !== null && <dd className="small">{hint}</dd>}
        </div>
      ))}
    </dl>
    <Amounts data={data} />
    <TopUp wallet={data.wallet} />
  </>
)

const Amounts = ({ data }: { readonly data: Balances }) => {
  const client = useQueryClient()
  const [claimed, setClaimed] = useState<OwedAmount | null>(null)
  if (data.balances.length === 0)
    return (
      <div className="table">
        <EmptyState title={words.empty}>
          <p>{words.emptyHow}</p>
        </EmptyState>
      </div>
    )
  return (
    <>
      <ul className="grid">
        {data.balances.map((owed) => (
          <OwedCard
            key={`${owed.currency.chainId} ${owed.currency.address}`}
            owed={owed}
            claim={() => setClaimed(owed)}
          />
        ))}
      </ul>
      <ClaimDialog
        owed={claimed}
        wallet={data.wallet}
        onClose={() => setClaimed(null)}
        changed={() =>
          Promise.all([
            client.invalidateQueries({ queryKey: [BALANCES_PATH] }),
            client.invalidateQueries({ queryKey: ['/dashboard/api/claims'] }),
          ])
        }
      />
    </>
  )
}

const OwedCard = ({ owed, claim }: { readonly owed: OwedAmount; claim(): void }) => {
  const { nameOf } = useChains()
  const { currency, amount, amountUsd, minimumAmount } = owed
  const isEnough = BigInt(amount) >= BigInt(minimumAmount)
  const { decimals, symbol } = currency
  return (
    <li className="card">
      <div className="card-head">
        <div className="cell-two">
          <Amount {...{ amount, decimals, symbol }} usd={amountUsd} />
          <span className="small faint">{nameOf(currency.chainId)}</span>
        </div>
        <Button kind="primary" onClick={claim} disabled={!isEnough}>
          {words.claim}
        </Button>
      </div>
      <p className="small soft row">
        {isEnough ? words.least : words.below} <Amount amount={minimumAmount} {...{ decimals, symbol }} />
      </p>
    </li>
  )
}
