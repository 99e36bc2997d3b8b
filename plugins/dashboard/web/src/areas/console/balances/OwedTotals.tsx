import { MoneyFlow } from '../../../components/data/MoneyFlow.js'
import { Notice } from '../../../components/feedback/Notice.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Card, Fact } from '../parts/Card.js'
import { Money, symbolOf } from '../parts/money/Money.js'
import { useChainName } from '../parts/useChains.js'
import type { CurrencyTotal } from './owedReport.js'

const words = consoleTexts.balances

const PARTS = ['free', 'earned', 'sponsored', 'collateral', 'claimed'] as const

const isShort = ({ owed, held }: CurrencyTotal): boolean => held !== null && BigInt(held.wallet) < BigInt(owed)

const Total = ({ total }: { readonly total: CurrencyTotal }) => {
  const { held, why, exposure } = total
  const parts = PARTS.map((name) => ({ name: words[name], amount: total[name] })).filter(({ amount }) => amount !== '0')
  return (
    <Card title={`${symbolOf(total)} ${useChainName()(total.chainId)}`}>
      {isShort(total) && <Notice tone="bad">{words.short}</Notice>}
      <MoneyFlow
        whole={{ name: words.owed, amount: total.owed }}
        parts={parts}
        decimals={total.decimals ?? 0}
        symbol={symbolOf(total)}
        rest={texts.data.none}
        exact
      />
      <dl className="facts">
        {held === null ? (
          <Fact name={words.held}>{words.unknownHeld(why ?? '')}</Fact>
        ) : (
          <>
            <Fact name={words.heldWallet}>
              <Money money={{ ...total, amount: held.wallet }} />
            </Fact>
            <Fact name={words.heldDepository}>
              <Money money={{ ...total, amount: held.depository }} />
            </Fact>
          </>
        )}
        {exposure !== '0' && (
          <Fact name={words.exposure}>
            <Money money={{ ...total, amount: exposure }} />
          </Fact>
        )}
      </dl>
    </Card>
  )
}

/** All that wallets are owed of each currency, and what is held against it. */
export const OwedTotals = ({ totals }: { readonly totals: readonly CurrencyTotal[] }) =>
  totals.length === 0 ? null : (
    <section className="stack" aria-label={words.totals}>
      <h2>{words.totals}</h2>
      <div className="grid owed">
        {totals.map((total) => (
          <Total key={`${total.chainId} ${total.currency}`} total={total} />
        ))}
      </div>
    </section>
  )
