import { useQuery } from '@tanstack/react-query'
import { EmptyState, Loaded } from '../../../components/feedback/States.js'
import { Copyable, shortened } from '../../../components/values/Copyable.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { readCommand } from '../commands.js'
import { Card, Fact } from '../parts/Card.js'
import { Crumb } from '../parts/Crumb.js'
import { Money, MoneyOn } from '../parts/money/Money.js'
import { Movements } from './Movements.js'
import type { WalletBalance, WalletReport } from './owedReport.js'
import { Statement } from './Statement.js'

const words = consoleTexts.balances

const PARTS = ['free', 'reserved', 'earned', 'sponsored', 'collateral', 'claimed', 'exposure'] as const

const Balance = ({ balance }: { readonly balance: WalletBalance }) => (
  <div className="card">
    <h2 className="minor">
      <MoneyOn money={{ ...balance, amount: balance.free }} />
    </h2>
    <dl className="facts">
      {PARTS.map((name) => (
        <Fact key={name} name={words[name]}>
          <Money money={{ ...balance, amount: balance[name] }} />
        </Fact>
      ))}
    </dl>
  </div>
)

/** One wallet: what it is owed, what moved last, and a statement of any time. */
export const WalletView = ({ wallet }: { readonly wallet: string }) => {
  const query = useQuery(readCommand<WalletReport>({ name: 'balances', arguments: [wallet] }))
  return (
    <>
      <PageHead
        title={shortened(wallet)}
        lead={<Copyable text={wallet} what={words.wallet} />}
        crumb={<Crumb href="/console/balances" text={words.back} />}
      />
      <Loaded query={query} lines={8}>
        {({ balances, integrators, movements }) => (
          <>
            {integrators.length > 0 && (
              <p className="soft wrap">
                {words.integrators} {integrators.join(', ')}
              </p>
            )}
            {balances.length === 0 ? (
              <EmptyState title={words.empty} />
            ) : (
              <div className="grid owed">
                {balances.map((balance) => (
                  <Balance key={`${balance.chainId} ${balance.currency}`} balance={balance} />
                ))}
              </div>
            )}
            <Card title={words.movements}>
              <Movements movements={movements} />
            </Card>
            <Statement wallet={wallet} />
          </>
        )}
      </Loaded>
    </>
  )
}
