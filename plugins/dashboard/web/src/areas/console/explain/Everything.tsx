import { Link } from '@tanstack/react-router'
import { Badge } from '../../../components/values/Badge.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { AddressStory } from '../addresses/AddressStory.js'
import { Movements } from '../balances/Movements.js'
import { Card, Fact } from '../parts/Card.js'
import { balanceHref } from '../parts/hrefs.js'
import { Explained, OnChain } from '../parts/Ids.js'
import { MoneyOn } from '../parts/money/Money.js'
import type { Explanation, ImportedExplanation } from './explanation.js'
import { ParkedStory } from './ParkedStory.js'
import { Quote } from './Quote.js'
import { RequestStory } from './RequestStory.js'

const words = consoleTexts.explain

const Imported = ({ item }: { readonly item: ImportedExplanation }) => (
  <li>
    <dl className="facts">
      <Fact name={words.transaction}>
        <OnChain chainId={item.chainId} what="transaction" id={item.txId} />
      </Fact>
      <Fact name={words.receives}>
        <span className="row">
          <MoneyOn money={item.money} /> <Badge>{item.status}</Badge>
        </span>
      </Fact>
      <Fact name={words.to}>
        <OnChain chainId={item.chainId} what="address" id={item.recipient} />
      </Fact>
      <Fact name={words.signer}>
        <OnChain chainId={item.chainId} what="address" id={item.signer} />
      </Fact>
      {item.orderId !== null && (
        <Fact name={words.order}>
          <Explained id={item.orderId} />
        </Fact>
      )}
    </dl>
  </li>
)

/** What comes to an address makes requests of its own: whether its quote was paid is told there. */
const gaveAnAddress = ({ addresses }: Explanation, quote: string): boolean =>
  addresses.some(({ requestId }) => requestId === quote)

/** Each thing that an id means, one below the other. */
export const Everything = ({ found }: { readonly found: Explanation }) => (
  <>
    {found.requests.map((request) => (
      <RequestStory key={request.requestId} request={request} isAlone={found.requests.length === 1} />
    ))}
    {found.parkedDeposits.map((parked) => (
      <ParkedStory key={parked.deposit.id} parked={parked} />
    ))}
    {found.unpaidQuotes.map((quote) => {
      const [title, lead] = gaveAnAddress(found, quote.requestId)
        ? [words.ofAddress, words.ofAddressMore]
        : [words.unpaid, words.unpaidMore]
      return (
        <Card key={quote.requestId} title={title}>
          <p className="soft">{lead}</p>
          <Quote quote={quote} />
        </Card>
      )
    })}
    {found.wallet !== null && (
      <Card
        title={words.wallet}
        aside={<Link to={balanceHref(found.wallet.wallet)}>{consoleTexts.balances.title}</Link>}
      >
        <ul className="tight">
          {found.wallet.balances.map((balance) => (
            <li key={`${balance.chainId} ${balance.currency}`}>
              <MoneyOn money={{ ...balance, amount: balance.free }} />
            </li>
          ))}
        </ul>
        <Movements movements={found.wallet.movements} />
      </Card>
    )}
    {found.addresses.map((details) => (
      <section key={details.addressId} className="stack" aria-label={words.addresses}>
        <h2>{words.addresses}</h2>
        <AddressStory details={details} />
      </section>
    ))}
    {found.importedTransactions.length > 0 && (
      <Card title={words.imported}>
        <ul className="stack">
          {found.importedTransactions.map((item) => (
            <Imported key={`${item.chainId} ${item.txId}`} item={item} />
          ))}
        </ul>
      </Card>
    )}
  </>
)
