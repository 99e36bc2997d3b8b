import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { ADDRESS, COUNT, HASH, HEX, WHOLE } from './fields.js'
import { type Asked, call, orNone } from './tronNode.js'

/** A transaction, of which the fields of its contract are read by its type. */
export const transactionSchema = Type.Object({
  txID: HASH,
  raw_data: Type.Object({
    contract: Type.Array(
      Type.Object({
        type: Type.String(),
        parameter: Type.Object({ value: Type.Record(Type.String(), Type.Unknown()) }),
      }),
    ),
    data: Type.Optional(HEX),
    expiration: Type.Optional(COUNT),
    timestamp: Type.Optional(WHOLE),
  }),
})

/** A transaction as nodes show it, its numbers as text. */
export type TransactionJson = Static<typeof transactionSchema>

const infoSchema = Type.Object({
  id: HASH,
  fee: Type.Optional(COUNT),
  blockNumber: Type.Optional(COUNT),
  contractResult: Type.Optional(Type.Array(HEX)),
  receipt: Type.Object({ result: Type.Optional(Type.String()), energy_usage_total: Type.Optional(COUNT) }),
  log: Type.Optional(
    Type.Array(Type.Object({ address: ADDRESS, topics: Type.Optional(Type.Array(HASH)), data: Type.Optional(HEX) })),
  ),
  result: Type.Optional(Type.String()),
  resMessage: Type.Optional(Type.String()),
  internal_transactions: Type.Optional(
    Type.Array(
      Type.Object({
        caller_address: ADDRESS,
        transferTo_address: Type.Optional(ADDRESS),
        callValueInfo: Type.Optional(
          Type.Array(Type.Object({ callValue: Type.Optional(COUNT), tokenId: Type.Optional(Type.String()) })),
        ),
        rejected: Type.Optional(Type.Boolean()),
      }),
    ),
  ),
})

/** What became of a transaction in its block. */
export type InfoJson = Static<typeof infoSchema>

const readTransaction = orNone(answerOf(transactionSchema))
const readInfo = orNone(answerOf(infoSchema))
const readInfos = answerOf(Type.Array(infoSchema))

/** A transaction by its id; null where the node has none. */
export const askTransaction = (asked: Asked, id: string): Promise<TransactionJson | null> =>
  call(asked, 'wallet/gettransactionbyid', { value: id }, readTransaction)

/** What became of a transaction; null where no block of the node has it. */
export const askInfo = (asked: Asked, id: string): Promise<InfoJson | null> =>
  call(asked, 'wallet/gettransactioninfobyid', { value: id }, readInfo)

/** Results of a block's transactions, in their order. A block without transactions has an object in place of a list. */
export const askInfos = (asked: Asked, height: bigint): Promise<readonly InfoJson[]> =>
  call(asked, 'wallet/gettransactioninfobyblocknum', { num: Number(height) }, (json) =>
    Array.isArray(json) ? readInfos(json) : [],
  )

/** The same by their transactions, of which none may be missing. @throws ServiceError */
export const askInfosOf = async (
  asked: Asked,
  height: bigint,
  transactions: readonly TransactionJson[],
): Promise<readonly InfoJson[]> => {
  const infos = new Map((await askInfos(asked, height)).map((info) => [info.id, info]))
  return transactions.map(({ txID }) => {
    const info = infos.get(txID)
    if (info === undefined) throw strangeAnswer('a block without the result of one of its transactions')
    return info
  })
}
