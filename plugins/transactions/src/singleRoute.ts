import {
  type ChainRegistry,
  type DepositHints,
  defineRoute,
  MessageSchema,
  type Route,
  ServiceError,
} from '@causeway/core'
import { readTransaction } from './reportedTransaction.js'
import { SingleBody } from './transactionSchemas.js'

/** The hash in the text that a public client sends; a replacement goes before what it replaced (wire.md 2.4). */
export const hashOfReportedItem = (text: string): string | null => {
  let item: unknown
  try {
    item = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof item !== 'object' || item === null) return null
  const { replacementTxHash, txHash } = item as { readonly replacementTxHash?: unknown; readonly txHash?: unknown }
  const hash = replacementTxHash ?? txHash
  return typeof hash === 'string' ? hash : null
}

/**
 * `POST /transactions/single`: a client reports what it sent on the chain of the output. It is a hint and no more, so
 * that whatever is reported changes no request (wire.md 2.4).
 */
export const singleRoute = ({
  chains,
  hints,
}: {
  readonly chains: ChainRegistry
  readonly hints: DepositHints
}): Route =>
  defineRoute({
    method: 'POST',
    path: '/transactions/single',
    summary: 'Report a transaction on one chain',
    tags: ['transactions'],
    bucket: 'other',
    auth: 'optional',
    body: SingleBody,
    responses: { 200: MessageSchema, 400: MessageSchema },
    handler: ({ body }) => {
      const txHash = hashOfReportedItem(body.tx)
      if (txHash === null) {
        throw new ServiceError('INVALID_REQUEST', 'body.tx must be JSON text with txHash or replacementTxHash')
      }
      const { chain, txId } = readTransaction(chains, { chainId: body.chainId, txHash })
      hints.hint(chain.config.id, txId)
      return { message: 'Transaction accepted' }
    },
  })
