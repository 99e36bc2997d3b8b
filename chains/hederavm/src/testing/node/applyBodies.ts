import { controlNode, type LocalChain } from '@causeway/core/testing'
import { proto } from '@hiero-ledger/proto'
import type { Applied } from './openLocalHedera.js'

/** Bodies as controls take them. */
export const encodeBodies = (bodies: readonly proto.ITransactionBody[]): readonly string[] =>
  bodies.map((body) => Buffer.from(proto.TransactionBody.encode(body).finish()).toString('base64'))

/** Applies transactions without keys and fees, in a block. @throws Error with the result of one that fails */
export const applyBodies = (
  { endpoint }: Pick<LocalChain, 'endpoint'>,
  bodies: readonly proto.ITransactionBody[],
): Promise<readonly Applied[]> => controlNode(endpoint.http, 'apply', encodeBodies(bodies))
