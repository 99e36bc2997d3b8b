import { type Hex, ServiceError } from '@causeway/core'
import {
  type ChainRegistry,
  type DepositHints,
  defineRoute,
  holderOf,
  MessageSchema,
  type Route,
} from '@causeway/core/plugin'
import { hinterOf, readTransaction } from './reportedTransaction.js'
import { SingleBody } from './transactionSchemas.js'

/** Takes what a client says about a transaction it sent for a quote that needs no solver. */
export interface DirectReports {
  /** `reporter`: `holderOf` the caller. */
  note(chainId: number, requestId: Hex, txId: string, reporter: string | null): Promise<void>
}

const REQUEST_ID = /^0x[0-9a-fA-F]{64}$/

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
 * `POST /transactions/single`: a client reports what it sent on the chain of the output. A report only counts
 * when the chain shows that the transaction did what was quoted (wire.md 2.4). For anything else it is a hint and changes no request.
 */
export const singleRoute = ({
  chains,
  hints,
  reports,
}: {
  readonly chains: ChainRegistry
  readonly hints: DepositHints
  readonly reports: DirectReports
}): Route =>
  defineRoute({
    method: 'POST',
    path: '/transactions/single',
    summary: 'Report a transaction on one chain',
    tags: ['transactions'],
    bucket: 'other',
    auth: 'optional',
    changes: true,
    body: SingleBody,
    responses: { 200: MessageSchema, 400: MessageSchema },
    handler: async ({ body, caller, ctx }) => {
      const txHash = hashOfReportedItem(body.tx)
      if (txHash === null) {
        throw new ServiceError('INVALID_REQUEST', 'body.tx must be JSON text with txHash or replacementTxHash')
      }
      const { chain, txId } = readTransaction(chains, { chainId: body.chainId, txHash })
      if (REQUEST_ID.test(body.requestId)) {
        // CAST: the pattern.
        await reports.note(chain.config.id, body.requestId.toLowerCase() as Hex, txId, holderOf(caller, ctx.ip))
      }
      // Afterwards, so that who is woken finds it.
      hints.hint(chain.config.id, txId, hinterOf(caller, ctx))
      return { message: 'Transaction accepted' }
    },
  })
