import { RULE_KEYWORD } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

/** A chain id as a number or its decimal text: public clients send both (wire.md 2.3). */
export const AnyChainId = Type.Union(
  [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.String({ pattern: '^[1-9][0-9]{0,15}$' })],
  { [RULE_KEYWORD]: 'must be a chain id, as a number or decimal text' },
)

export const TransactionHash = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Transaction hash in the form of the chain',
})

const requestId = Type.String({ maxLength: 128, description: 'Id of the request' })

/** Body of `POST /transactions/index` (wire.md 2.3). */
export const IndexBody = Type.Object({
  chainId: AnyChainId,
  txHash: TransactionHash,
  requestId: Type.Optional(requestId),
})

/** Body of `POST /transactions/single` (wire.md 2.4). */
export const SingleBody = Type.Object({
  requestId,
  chainId: AnyChainId,
  tx: Type.String({
    minLength: 2,
    maxLength: 200_000,
    description: 'JSON text of the step item with txHash, or replacementTxHash',
  }),
})

/** Query of `GET /transactions/status` (wire.md H.3). */
export const TransactionStatusQuery = Type.Object({
  txHash: TransactionHash,
  chainId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, [RULE_KEYWORD]: 'must be a chain id' }),
})

const nullable = <Schema extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** Answer of `GET /transactions/status` (wire.md H.3). */
export const TransactionStatus = Type.Object(
  {
    status: Type.Union(['pending', 'success', 'failure', 'unknown'].map((status) => Type.Literal(status))),
    requestId: nullable(Type.String()),
    chainId: Type.Integer(),
    txHash: Type.String(),
    blockNumber: nullable(Type.Integer()),
  },
  { title: 'TransactionStatus' },
)
