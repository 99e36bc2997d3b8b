import { Dialog } from '../../../components/controls/Dialogs.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { Fact } from '../parts/Card.js'
import { CopyableMoney, symbolOf } from '../parts/money/Money.js'
import type { Stock } from './inventoryReport.js'

const { rows, exact } = consoleTexts.inventory

const NAMES = [
  'onChain',
  'reserved',
  'booked',
  'difference',
  'unpaid',
  'owedFills',
  'holds',
  'available',
  'paidInWeek',
  'depositoryOnChain',
  'depositoryBooked',
  'withdrawable',
  'atAddresses',
] as const

/** Every number of one currency, and why books and chain differ. */
export const StockDialog = ({ stock, onClose }: { readonly stock: Stock; onClose(): void }) => (
  <Dialog open onClose={onClose} title={`${symbolOf(stock.currency)} ${stock.chain.slug}`} lead={exact}>
    <dl className="facts">
      {NAMES.map((name) => {
        const amount = stock[name]
        return (
          <Fact key={name} name={rows[name]}>
            {amount === null ? texts.data.none : <CopyableMoney money={{ ...stock.currency, amount }} />}
          </Fact>
        )
      })}
    </dl>
    {[stock.explanation, stock.depositoryExplanation].map((text) =>
      text === null ? null : (
        <p key={text} className="soft wrap">
          {text}
        </p>
      ),
    )}
  </Dialog>
)
