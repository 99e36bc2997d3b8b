import { exactText } from '../../../components/values/amountText.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { CommandDialog, type CommandField, REASON } from '../parts/CommandDialog.js'
import { symbolOf } from '../parts/money/Money.js'
import type { Stock } from './inventoryReport.js'

const words = consoleTexts.inventory

/** What was asked for on the page of the inventory. */
export interface Booking {
  readonly kind: 'look' | 'topup' | 'correct'
  readonly stock: Stock
}

const topupFields = ({ currency, chain }: Stock): readonly CommandField[] => [
  { name: 'amount', label: words.amount, hint: words.amountHint(symbolOf(currency)), needed: true },
  { name: 'tx', label: words.tx, hint: words.txHint, needed: true },
  {
    name: 'direction',
    label: words.direction,
    kind: 'choice',
    choices: [
      { value: '', text: words.putIn },
      { value: 'out', text: words.takenOut },
    ],
  },
  { name: 'integrator', label: words.integrator, hint: words.integratorHint },
  ...(chain.senders?.currency.currency === currency.currency
    ? [{ name: 'sender', label: words.sender, kind: 'check' } as const]
    : []),
  { name: 'unchecked', label: words.unchecked, kind: 'check' },
  REASON,
]

const TopupDialog = ({ stock, onClose }: { readonly stock: Stock; onClose(): void }) => (
  <CommandDialog
    title={words.topup}
    effect={() => words.topupEffect(symbolOf(stock.currency), stock.chain.slug)}
    fields={topupFields(stock)}
    call={({ amount = '', tx = '', direction, integrator = '', sender, unchecked, reason = '' }) => ({
      name: 'inventory topup',
      arguments: [stock.chain.slug, stock.currency.currency, amount.trim()],
      options: {
        tx: tx.trim(),
        out: direction === 'out',
        integrator: integrator.trim(),
        sender: sender === 'yes',
        unchecked: unchecked === 'yes',
        reason,
      },
    })}
    retype={({ amount = '' }) => amount.trim()}
    confirm={words.book}
    onClose={onClose}
  />
)

const CorrectDialog = ({ stock, onClose }: { readonly stock: Stock; onClose(): void }) => {
  const { currency, chain } = stock
  const difference = BigInt(stock.difference ?? '0')
  const isMissing = difference < 0n
  const amount = exactText(isMissing ? -difference : difference, currency.decimals ?? 0).replaceAll(',', '')
  return (
    <CommandDialog
      title={words.correct}
      effect={() => words.correctEffect(`${amount} ${symbolOf(currency)}`, chain.slug, isMissing)}
      fields={[REASON]}
      call={({ reason = '' }) => ({
        name: 'inventory correct',
        arguments: [chain.slug, currency.currency, amount],
        options: { missing: isMissing, reason },
      })}
      retype={() => amount}
      confirm={words.book}
      danger
      onClose={onClose}
    />
  )
}

/** Books what was moved by hand, or what is left to book. */
export const BookDialog = ({ booking, onClose }: { readonly booking: Booking; onClose(): void }) =>
  booking.kind === 'correct' ? (
    <CorrectDialog stock={booking.stock} onClose={onClose} />
  ) : (
    <TopupDialog stock={booking.stock} onClose={onClose} />
  )
