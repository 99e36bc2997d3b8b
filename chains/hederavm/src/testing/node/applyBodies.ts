import { controlNode, type LocalChain } from '@causeway/core/testing'
import { proto } from '@hiero-ledger/proto'
import type { Applied } from './openLocalHedera.js'

/** Applies transactions without keys and fees, in a block, or as children of a contract's call. @throws Error with the result of one that fails */
export const applyBodies = (
  { endpoint }: Pick<LocalChain, 'endpoint'>,
  bodies: readonly proto.ITransactionBody[],
  isWithin = false,
): Promise<readonly Applied[]> => {
  const encoded = bodies.map((body) => Buffer.from(proto.TransactionBody.encode(body).finish()).toString('base64'))
  return controlNode(endpoint.http, 'apply', encoded, isWithin)
}
