import {
  type ChainRegistry,
  type DepositHints,
  defineRoute,
  HttpError,
  MessageSchema,
  type Route,
} from '@causeway/core/plugin'
import { findOnChain } from './findOnChain.js'
import { hinterOf, readTransaction } from './reportedTransaction.js'
import { IndexBody } from './transactionSchemas.js'

export interface IndexRouteDeps {
  readonly chains: ChainRegistry
  readonly hints: DepositHints
  /** How long a chain may take to say whether it knows the transaction, in milliseconds. */
  readonly lookupTimeoutMs: number
}

/**
 * `POST /transactions/index`: the watcher looks now, whatever the chain says of the transaction. 404 when the chain does
 * not know it, and while it is in no block where it is seen before (Bitcoin, wire.md 2.3). A chain that does not answer in time is no fault
 * of the caller: the hint was taken, so the answer is 200.
 */
export const indexRoute = ({ chains, hints, lookupTimeoutMs }: IndexRouteDeps): Route =>
  defineRoute({
    method: 'POST',
    path: '/transactions/index',
    summary: 'Say that a transaction exists',
    tags: ['transactions'],
    bucket: 'other',
    auth: 'optional',
    changes: true,
    body: IndexBody,
    responses: { 200: MessageSchema, 400: MessageSchema, 404: MessageSchema },
    handler: async ({ body, caller, ctx }) => {
      const { chain, txId } = readTransaction(chains, body)
      hints.hint(chain.config.id, txId, hinterOf(caller, ctx))
      const found = await findOnChain(chain.adapter, { id: txId }, lookupTimeoutMs)
      if (found?.status === 'unknown') throw new HttpError(404, 'The chain does not know this transaction yet')
      if (found?.status === 'pending' && chain.adapter.capabilities.mempoolVisibility) {
        throw new HttpError(404, 'The transaction is not in a block yet')
      }
      return { message: 'Transaction accepted for indexing' }
    },
  })
