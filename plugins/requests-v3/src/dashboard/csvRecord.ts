import type { AmountJson } from '@causeway/core/plugin'
import { textCell } from './csvText.js'

interface CsvTx {
  readonly txHash: string
}

/** What of a record stands in a line; the schema of records says that it is there. */
export interface CsvRecord {
  readonly id: string
  readonly status: string
  readonly requestType: string
  readonly user: string
  readonly recipient: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly data: {
    readonly failReason: string | null
    readonly refundFailReason: string | null
    readonly inTxs: readonly CsvTx[]
    readonly outTxs: readonly CsvTx[]
    readonly route: { readonly quoted: CsvRoute; readonly actual: CsvRoute }
    readonly refundCurrencyData: AmountJson | null
    readonly referrer?: string | null
    readonly apiKeyName?: string | null
  }
}

interface CsvSide {
  readonly inputCurrency: AmountJson | null
  readonly outputCurrency: AmountJson | null
}
interface CsvRoute {
  readonly origin: CsvSide
  readonly destination?: CsvSide
}

const AMOUNT = ['ChainId', 'Currency', 'Symbol', 'Decimals', 'Amount', 'AmountFormatted', 'AmountUsd'] as const

/** The first line. Amounts are exact in the smallest unit, with the decimals of their currency. */
export const CSV_HEADER: readonly string[] = [
  'requestId',
  'status',
  'type',
  'createdAt',
  'updatedAt',
  'user',
  'recipient',
  ...AMOUNT.map((name) => `in${name}`),
  ...AMOUNT.map((name) => `out${name}`),
  ...AMOUNT.map((name) => `refund${name}`),
  'inTxHashes',
  'outTxHashes',
  'failReason',
  'refundFailReason',
  'referrer',
  'apiKeyName',
]

/** Amounts are ours: one below zero stays a number. */
const amountCells = (amount: AmountJson | null | undefined): readonly string[] =>
  amount === null || amount === undefined
    ? AMOUNT.map(() => '')
    : [
        String(amount.currency.chainId),
        textCell(amount.currency.address),
        textCell(amount.currency.symbol),
        String(amount.currency.decimals),
        amount.amount,
        amount.amountFormatted,
        amount.amountUsd,
      ]

/** What was given and what came out; what was quoted where nothing happened yet. */
const ends = ({ data: { route } }: CsvRecord) => {
  const last = (part: CsvRoute) => (part.destination ?? part.origin).outputCurrency
  return {
    in: route.actual.origin.inputCurrency ?? route.quoted.origin.inputCurrency,
    out: last(route.actual) ?? last(route.quoted),
  }
}

/** One record as the cells of a line. */
export const csvRow = (record: CsvRecord): readonly string[] => {
  const { data } = record
  const amounts = ends(record)
  return [
    ...[record.id, record.status, record.requestType, record.createdAt, record.updatedAt].map(textCell),
    ...[record.user, record.recipient].map(textCell),
    ...amountCells(amounts.in),
    ...amountCells(amounts.out),
    ...amountCells(data.refundCurrencyData),
    ...[data.inTxs, data.outTxs].map((txs) => textCell(txs.map(({ txHash }) => txHash).join(' '))),
    ...[data.failReason, data.refundFailReason, data.referrer ?? null, data.apiKeyName ?? null].map(textCell),
  ]
}
