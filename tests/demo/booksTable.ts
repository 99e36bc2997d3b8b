import { formatUnits } from 'viem'
import type { BookLine } from '../transfers/chainBooks.js'
import { screen } from './screen.js'

/** What the books and the chains say, beside each other. */
export const showBooks = (lines: readonly BookLine[]): void =>
  screen.table([['', 'account', 'in the books', 'on the chain', ''], ...lines.filter(isHeld).map(rowOf)], [2, 3])

/** Of the promises only a broken one is worth a row. */
const isHeld = ({ account, booked, real }: BookLine): boolean =>
  account === 'wallet' || account === 'depository' || booked !== real

const rowOf = ({ chain, currency, account, booked, real }: BookLine): string[] => [
  `${chain.name} ${currency.symbol}`,
  account,
  formatUnits(booked, currency.decimals),
  formatUnits(real, currency.decimals),
  booked === real ? '✓' : '✗',
]
