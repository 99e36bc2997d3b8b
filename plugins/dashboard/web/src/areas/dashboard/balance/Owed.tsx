import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Amount } from '../../../components/Amount.js'
import { usdText } from '../../../components/amountText.js'
import { Button } from '../../../components/Button.js'
import { Copyable } from '../../../components/Copyable.js'
import { EmptyState } from '../../../components/States.js'
import { texts } from '../../../texts/texts.js'
import { useChains } from '../data/chains.js'
import { ClaimDialog } from './ClaimDialog.js'
import { BALANCES_PATH, type Balances, type OwedAmount } from './wallet.js'

const words = texts.dashboard.balance

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
    <TopUp data={data} />
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

/** What a transfer carries that is paid in for a wallet. */
const markerFor = (wallet: string): string => `0x012345abcdef${wallet.toLowerCase().slice(2)}012345abcdef`

const TopUp = ({ data }: { readonly data: Balances }) => {
  const { chains, nameOf } = useChains()
  const currency = data.balances[0]?.currency
  const addresses = chains.find(({ id }) => id === currency?.chainId)?.solverAddresses ?? []
  return (
    <section className="card" aria-label={words.topUp.title}>
      <div className="tight">
        <h2>{words.topUp.title}</h2>
        <p className="soft">{words.topUp.lead}</p>
      </div>
      {currency === undefined || addresses.length === 0 ? (
        <p>{words.topUp.unknown}</p>
      ) : (
        <ol className="steps">
          {words.topUp.steps(currency.symbol.slice(0, 24), nameOf(currency.chainId)).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <dl className="facts">
        {currency !== undefined && addresses.length > 0 && (
          <>
            <dt>{words.topUp.address}</dt>
            <dd className="tight">
              {addresses.map((address) => (
                <Copyable key={address} text={address} what={words.topUp.address} />
              ))}
            </dd>
          </>
        )}
        <dt>{words.topUp.data}</dt>
        <dd>
          <Copyable text={markerFor(data.wallet)} what={words.topUp.data} />
        </dd>
      </dl>
    </section>
  )
}
