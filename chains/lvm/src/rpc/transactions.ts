import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { COUNT, TX_HASH, WHOLE } from './fields.js'
import { type Asked, askAt, findAt } from './lighterNode.js'

const transactionSchema = Type.Object({
  ...{ hash: TX_HASH, type: COUNT, info: Type.String(), status: COUNT },
  ...{ account_index: WHOLE, nonce: WHOLE, expire_at: WHOLE, block_height: COUNT, queued_at: COUNT },
  api_key_index: Type.Optional(COUNT),
})

/** A transaction as the exchange shows it, its numbers as text. */
export type TransactionJson = Static<typeof transactionSchema>

const readTransaction = answerOf(transactionSchema)
const readPage = answerOf(
  Type.Object({ txs: Type.Array(transactionSchema), next_cursor: Type.Optional(Type.String({ maxLength: 1000 })) }),
)

/** A transaction by its hash; null where the node knows none. @throws ServiceError */
export const askTransaction = async (asked: Asked, hash: string): Promise<TransactionJson | null> => {
  const found = await findAt(asked, '/api/v1/tx', readTransaction, { by: 'hash', value: hash })
  if (found !== null && bareHash(found.hash) !== bareHash(hash))
    throw strangeAnswer('another transaction than the one asked for')
  return found
}

/** A hash as records hold it. */
export const bareHash = (hash: string): string => hash.replace(/^0x/i, '').toLowerCase()

/** Maximum length of a page that the exchange lists. */
const MOST_LISTED = 100
/** Pages of one account that are read back at most. */
const MOST_PAGES = 5000

export interface AccountListing {
  readonly account: string
  /** Access token of the account. */
  readonly token: string
  /** Only transactions of this type; absent: of every type. */
  readonly type?: string
}

/** Transactions of an account, newest first. @throws TokenRefused, ServiceError */
export async function* accountPages(
  asked: Asked,
  { account, token, type }: AccountListing,
): AsyncGenerator<readonly TransactionJson[]> {
  const query = {
    ...{ by: 'account_index', value: account, limit: String(MOST_LISTED), auth: token },
    ...(type === undefined ? {} : { types: type }),
  }
  let cursor = ''
  let read = 0
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    // Without a cursor the list is counted from its newest end, so that new transactions repeat others and hide none.
    const from = cursor !== '' ? { cursor } : read === 0 ? {} : { index: String(read) }
    const { txs, next_cursor = '' } = await askAt(asked, '/api/v1/accountTxs', readPage, { ...query, ...from })
    if (txs.length === 0) return
    yield txs
    if (next_cursor !== '' && next_cursor === cursor) throw strangeAnswer('a list of transactions that does not go on')
    cursor = next_cursor
    read += txs.length
  }
  throw strangeAnswer('a list of transactions that does not end')
}
