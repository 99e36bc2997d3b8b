import { ServiceError } from '@causeway/core'
import type { JsonRpcClient, JsonRpcEndpoint } from '@causeway/core/chain-kit'
import type { Ask } from '../../rpc/head/blockReader.js'

/** One node, so that answers that belong together come from one place. */
export interface BoundNode {
  readonly endpoint: JsonRpcEndpoint
  readonly ask: Ask
}

/** Binds to a node; when it fails it rests, and the next one to be bound is another. */
export const bindTo = (endpoint: JsonRpcEndpoint): BoundNode => ({ endpoint, ask: (calls) => endpoint.batch(calls) })

/** The node that reads now. Throws ServiceError when none is trusted. */
export const readingNode = (rpc: JsonRpcClient): BoundNode => {
  const [endpoint] = rpc.ordered()
  if (endpoint === undefined) throw new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
  return bindTo(endpoint)
}

/** One node of each other trusted provider. */
export const otherNodes = (rpc: JsonRpcClient, than: JsonRpcEndpoint | undefined): BoundNode[] =>
  rpc.providers.filter(({ provider }) => provider !== than?.provider).map(bindTo)
