import { larger, smaller } from '@causeway/core'
import { answerOf } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { nanosOf, timeText } from '../address/times.js'
import { mirrorId, readTransactionId } from '../address/transactionIds.js'
import { COUNT, ENTITY, LINKS, TIME, WHOLE } from './fields.js'
import { type Asked, findAt, MOST_LISTED } from './mirrorNode.js'

const move = { account: ENTITY, amount: WHOLE }
const optionalEntity = Type.Union([ENTITY, Type.Null()])

const transactionSchema = Type.Object({
  consensus_timestamp: TIME,
  transaction_id: Type.String({ pattern: '^0\\.0\\.\\d{1,19}-\\d{1,19}-\\d{1,9}$' }),
  valid_start_timestamp: TIME,
  valid_duration_seconds: Type.Optional(COUNT),
  ...{ name: Type.String(), result: Type.String({ pattern: '^[A-Z0-9_]{1,80}$' }), nonce: COUNT },
  ...{ scheduled: Type.Boolean(), charged_tx_fee: COUNT, memo_base64: Type.Optional(Type.String()) },
  node: Type.Optional(ENTITY),
  transfers: Type.Array(Type.Object(move)),
  /** Part of `transfers`: any transfer of a staking account pays out its rewards. */
  staking_reward_transfers: Type.Optional(Type.Array(Type.Object(move))),
  token_transfers: Type.Optional(Type.Array(Type.Object({ ...move, token_id: ENTITY }))),
  /** Only where one transaction is asked for. */
  assessed_custom_fees: Type.Optional(
    Type.Array(Type.Object({ amount: WHOLE, collector_account_id: ENTITY, token_id: optionalEntity })),
  ),
})

/** A transaction as mirror nodes show it, its numbers as text. */
export type TransactionJson = Static<typeof transactionSchema>

const readList = answerOf(Type.Object({ transactions: Type.Array(transactionSchema) }))
const readPage = answerOf(Type.Object({ transactions: Type.Array(transactionSchema), links: LINKS }))

/** Transactions between two consensus times, both in. */
export interface TransactionRange {
  /** Null: of every account. */
  readonly account: string | null
  /** Absent: from the oldest, up to the newest. */
  readonly from?: bigint
  readonly to?: bigint
  readonly order: 'asc' | 'desc'
  /** Only transactions of this type that succeeded. */
  readonly type?: string
}

/** One page of a range; `isWhole`: the range has no more. */
export const askTransactionPage = async (asked: Asked, { account, from, to, order, type }: TransactionRange) => {
  const page = await findAt(asked, '/transactions', readPage, {
    ...(account === null ? {} : { 'account.id': account }),
    ...(type === undefined ? {} : { transactiontype: type, result: 'success' }),
    timestamp: [
      ...(from === undefined ? [] : [`gte:${timeText(from)}`]),
      ...(to === undefined ? [] : [`lte:${timeText(to)}`]),
    ],
    ...{ order, limit: String(MOST_LISTED) },
  })
  const transactions = page?.transactions ?? []
  return { transactions, isWhole: transactions.length === 0 || (page?.links.next ?? null) === null }
}

/** All pages of a range, in its order. */
export async function* transactionPages(
  asked: Asked,
  range: TransactionRange,
): AsyncGenerator<readonly TransactionJson[]> {
  for (let rest = range; ; ) {
    const { transactions, isWhole } = await askTransactionPage(asked, rest)
    yield transactions
    const last = transactions.at(-1)
    if (isWhole || last === undefined) return
    const time = nanosOf(last.consensus_timestamp)
    rest =
      range.order === 'asc'
        ? { ...rest, from: larger(time, rest.from ?? 0n) + 1n }
        : { ...rest, to: smaller(time, rest.to ?? time) - 1n }
  }
}

/** The transaction with an id; null where the node does not know one. Duplicates of the id are left out. */
export const askTransaction = async (asked: Asked, id: string): Promise<TransactionJson | null> => {
  const read = readTransactionId(id)
  if (read === null) return null
  const query = { scheduled: String(read.scheduled), nonce: String(read.nonce) }
  const found = await findAt(asked, `/transactions/${mirrorId(read)}`, readList, query)
  const isAsked = ({ nonce, scheduled, result }: TransactionJson): boolean =>
    Number(nonce) === read.nonce && scheduled === read.scheduled && result !== DUPLICATE
  return found?.transactions.find(isAsked) ?? null
}

/** Result of a transaction whose id another transaction used before. */
export const DUPLICATE = 'DUPLICATE_TRANSACTION'
