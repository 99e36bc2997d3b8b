import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/controls/Button.js'
import { Menu } from '../../../components/controls/Menu.js'
import { type Column, DataTable } from '../../../components/data/DataTable.js'
import { EmptyState } from '../../../components/feedback/States.js'
import { usdText } from '../../../components/values/amountText.js'
import { Badge, type Tone } from '../../../components/values/Badge.js'
import { WholeText } from '../../../components/values/WholeText.js'
import { consoleTexts } from '../../../texts/consoleTexts.js'
import { texts } from '../../../texts/texts.js'
import { BareMoney, symbolOf } from '../parts/money/Money.js'
import { BookDialog, type Booking } from './BookDialog.js'
import { apartOf, type BooksState, booksStateOf, committedOf, type Stock } from './inventoryReport.js'
import { StockDialog } from './StockDialog.js'

const words = consoleTexts.inventory

const TONES: Readonly<Record<BooksState, Tone>> = { agree: 'good', explained: 'busy', differ: 'bad', unread: 'plain' }
const WORDS: Readonly<Record<BooksState, string>> = {
  agree: words.agree,
  explained: words.explained,
  differ: words.differ,
  unread: words.unread,
}

const columnsOf = (open: (booking: Booking) => void): readonly Column<Stock>[] => [
  {
    id: 'currency',
    title: words.currency,
    width: 'minmax(0, 0.9fr)',
    cell: ({ currency, chain }) => (
      <span className="wrap">
        <strong>{symbolOf(currency)}</strong> <span className="soft small">{chain.slug}</span>
      </span>
    ),
  },
  {
    id: 'wallet',
    whole: true,
    title: words.wallet,
    align: 'end',
    width: 'minmax(0, 1.5fr)',
    cell: ({ currency, onChain, booked }) => <BareMoney money={{ ...currency, amount: onChain ?? booked }} />,
  },
  {
    id: 'held',
    whole: true,
    title: words.held,
    align: 'end',
    width: 'minmax(0, 0.7fr)',
    cell: ({ currency, holds }) => <BareMoney money={{ ...currency, amount: holds }} />,
  },
  {
    id: 'promised',
    whole: true,
    title: words.promised,
    align: 'end',
    width: 'minmax(0, 0.8fr)',
    cell: (stock) => <BareMoney money={{ ...stock.currency, amount: committedOf(stock) }} />,
  },
  {
    id: 'available',
    whole: true,
    title: words.available,
    align: 'end',
    wide: true,
    width: 'minmax(0, 1.5fr)',
    cell: ({ currency, available, availableUsd }) => (
      <>
        <BareMoney money={{ ...currency, amount: available }} />
        {availableUsd !== null && (
          <span className="small faint stock-usd">
            <WholeText text={usdText(availableUsd)} />
          </span>
        )}
      </>
    ),
  },
  {
    id: 'depository',
    whole: true,
    title: words.depository,
    align: 'end',
    width: 'minmax(0, 1.5fr)',
    cell: ({ currency, depositoryOnChain, depositoryBooked }) => (
      <BareMoney money={{ ...currency, amount: depositoryOnChain ?? depositoryBooked }} />
    ),
  },
  {
    id: 'cover',
    title: words.cover,
    align: 'end',
    width: '3.5rem',
    cell: ({ daysOfCover }) => (
      <span title={words.coverHint}>
        {daysOfCover === null ? <span className="faint">{texts.data.none}</span> : words.days(coverText(daysOfCover))}
      </span>
    ),
  },
  {
    id: 'books',
    whole: true,
    title: words.books,
    width: '7rem',
    cell: (stock) => {
      const state = booksStateOf(stock)
      return (
        <span className="stock-books">
          <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
          {apartOf(stock).map(({ what, amount }) => (
            <span key={what} className="small soft" title={words.apart[what]}>
              <BareMoney money={{ ...stock.currency, amount }} />
            </span>
          ))}
        </span>
      )
    },
  },
  {
    id: 'actions',
    title: words.actions,
    width: '2.75rem',
    cell: (stock) => (
      <Menu
        trigger={
          <Button
            kind="quiet"
            size="small"
            aria-label={`${words.actions}: ${symbolOf(stock.currency)} ${stock.chain.slug}`}
          >
            <MoreHorizontal aria-hidden />
          </Button>
        }
        items={[
          { text: words.exact, act: () => open({ kind: 'look', stock }) },
          { text: words.topupMenu, act: () => open({ kind: 'topup', stock }) },
          ...(stock.difference === null || BigInt(stock.difference) === 0n
            ? []
            : [{ text: words.correctMenu, act: () => open({ kind: 'correct', stock }) }]),
        ]}
      />
    ),
  },
]

const LONG_COVER = 999

/** More than some years is as good as for ever. */
const coverText = (days: string): string => (Number(days) > LONG_COVER ? `> ${LONG_COVER}` : days)

/** Each currency of each chain. */
export const StockTable = ({
  stocks,
  error,
  retry,
}: {
  readonly stocks: readonly Stock[] | undefined
  readonly error: unknown
  retry(): void
}) => {
  const [booking, setBooking] = useState<Booking | null>(null)
  const close = () => setBooking(null)
  return (
    <>
      <DataTable
        label={words.title}
        columns={columnsOf(setBooking)}
        rows={stocks}
        rowKey={({ chain, currency }) => `${chain.chainId} ${currency.currency}`}
        error={error}
        retry={retry}
        empty={
          <EmptyState title={words.empty}>
            <p>{words.emptyMore}</p>
          </EmptyState>
        }
        leastWidth={900}
      />
      {booking?.kind === 'look' && <StockDialog stock={booking.stock} onClose={close} />}
      {booking !== null && booking.kind !== 'look' && <BookDialog booking={booking} onClose={close} />}
    </>
  )
}
