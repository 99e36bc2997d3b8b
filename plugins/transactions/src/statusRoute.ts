import { ServiceError, storedTx } from '@causeway/core'
import {
  type ChainRegistry,
  defineRoute,
  HttpError,
  MessageSchema,
  type RequestReader,
  type Route,
} from '@causeway/core/plugin'
import { findOnChain } from './findOnChain.js'
import { readTransaction } from './reportedTransaction.js'
import { TransactionStatus, TransactionStatusQuery } from './transactionSchemas.js'

export interface StatusRouteDeps {
  readonly chains: ChainRegistry
  readonly requests: RequestReader
  /** How long a chain may take to answer, in milliseconds. */
  readonly lookupTimeoutMs: number
}

/**
 * `GET /transactions/status` (wire.md H.3): what the chain says of a transaction and which request it belongs to. 404
 * when neither knows it; `unknown` when it is ours but the chain does not know it, or does not answer. Throws
 * `SERVICE_UNAVAILABLE` when the chain does not answer and the transaction is not ours.
 */
export const statusRoute = ({ chains, requests, lookupTimeoutMs }: StatusRouteDeps): Route =>
  defineRoute({
    method: 'GET',
    path: '/transactions/status',
    summary: 'State of a transaction',
    tags: ['transactions'],
    bucket: 'transactions/status',
    auth: 'optional',
    query: TransactionStatusQuery,
    responses: { 200: TransactionStatus, 400: MessageSchema, 404: MessageSchema, 503: MessageSchema },
    handler: async ({ query }) => {
      const { chain, txId } = readTransaction(chains, query)
      // First, since the chain may need more than the id to find what is ours.
      const ours = await requests.findByTransaction(chain.config.id, txId)
      const found = await findOnChain(chain.adapter, storedTx({ ...ours, txId }), lookupTimeoutMs)
      if (found === null && ours === null) {
        throw new ServiceError('SERVICE_UNAVAILABLE', 'The chain does not answer now; try again')
      }
      const status = found?.status ?? 'unknown'
      if (status === 'unknown' && ours === null) throw new HttpError(404, 'Nobody knows this transaction')
      return {
        status,
        requestId: ours?.requestId ?? null,
        chainId: chain.config.id,
        txHash: txId,
        blockNumber: found?.block ? Number(found.block.height) : null,
      }
    },
  })
