import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/controls/Field.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { Skeleton } from '../../../components/feedback/States.js'
import { PageHead } from '../../../shell/PageHead.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { readCommand } from '../commands.js'
import { Card, Fact } from '../parts/Card.js'
import { OnChain } from '../parts/Ids.js'
import { CopyableMoney, symbolOf } from '../parts/money/Money.js'
import { moneyText } from '../parts/money/moneyText.js'
import { useAddressState } from '../parts/useAddressState.js'
import {
  apartOf,
  booksStateOf,
  type ChainInventory,
  type InventoryReport,
  type Stock,
  stocksOf,
} from './inventoryReport.js'
import { StockTable } from './StockTable.js'

const words = consoleTexts.inventory
const INVENTORY_MS = 15_000

/** Currencies whose books differ without an explanation, by how much, above everything. */
const Differing = ({ stocks }: { readonly stocks: readonly Stock[] }) =>
  stocks.map((stock) => (
    <Notice key={`${stock.chain.chainId} ${stock.currency.currency}`} tone="bad">
      <strong>
        {symbolOf(stock.currency)} {stock.chain.slug}
      </strong>{' '}
      {apartOf(stock)
        .map(({ what, amount }) => `${words.apart[what]} ${moneyText({ ...stock.currency, amount })}`)
        .join(', ')}
    </Notice>
  ))

/** No good word stands over what is wrong. */
const Moves = ({ report: { chains, moves } }: { readonly report: InventoryReport }) => {
  const differing = stocksOf(chains).filter((stock) => booksStateOf(stock) === 'differ')
  if (differing.length > 0 && moves.length === 0) return <Differing stocks={differing} />
  return moves.length === 0 ? (
    <Notice tone="good">{words.noMoves}</Notice>
  ) : (
    <>
      <Differing stocks={differing} />
      <Card title={words.moves}>
        <ul className="tight">
          {moves.map(({ chainId, currency, says }) => (
            <li key={`${chainId} ${currency}`}>
              <Notice tone="warn">
                <span className="wrap">{says}</span>
              </Notice>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

const Wallets = ({ chains }: { readonly chains: readonly ChainInventory[] }) => (
  <section className="stack" aria-label={words.wallets}>
    <h2>{words.wallets}</h2>
    <div className="grid">
      {chains.map(({ chainId, slug, wallet, depository, height, senders }) => (
        <div className="card" key={chainId}>
          <h3>{slug}</h3>
          <dl className="facts">
            <Fact name={words.payoutWallet}>
              <OnChain chainId={chainId} what="address" id={wallet} />
            </Fact>
            <Fact name={words.depositoryOf}>
              <OnChain chainId={chainId} what="address" id={depository} />
            </Fact>
            <Fact name={words.height}>{height ?? texts.data.none}</Fact>
            {senders !== null && (
              <Fact name={words.senders}>
                <CopyableMoney money={{ ...senders.currency, amount: senders.onChain ?? senders.booked }} />
              </Fact>
            )}
          </dl>
        </div>
      ))}
    </div>
  </section>
)

/** What the solver owns, what of it is promised, and for how long it lasts. */
export const InventoryPage = () => {
  const query = useQuery(readCommand<InventoryReport>({ name: 'inventory' }, INVENTORY_MS))
  const [{ chain = '' }, change] = useAddressState()
  const report = query.data
  const chains = report?.chains ?? []
  const shown = chains.filter(({ slug }) => chain === '' || slug === chain)
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <SelectField
          label={consoleTexts.parts.chain}
          value={chain}
          onChange={({ target }) => change({ chain: target.value })}
          choices={[
            { value: '', text: consoleTexts.parts.allChains },
            ...chains.map(({ slug }) => ({ value: slug, text: slug })),
          ]}
        />
      </PageHead>
      {report === undefined ? query.error ? null : <Skeleton lines={1} /> : <Moves report={report} />}
      {shown.map(({ chainId, slug, reachable, why }) =>
        reachable ? null : (
          <Notice key={chainId} tone="bad">
            {words.unreachable(slug, why ?? '')}
          </Notice>
        ),
      )}
      <StockTable
        stocks={report === undefined ? undefined : stocksOf(shown)}
        error={query.error}
        retry={() => void query.refetch()}
      />
      {report !== undefined && <Wallets chains={shown} />}
    </>
  )
}
