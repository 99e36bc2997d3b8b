import { ServiceError } from '../../errors/serviceError.js'

/** Nodes of a chain, in the order in which they are to be tried. */
export interface OrderedNodes<Node> {
  /** The trusted ones, the best first. */
  ordered(): readonly Node[]
}

/**
 * The answer of the first node that has one. A question that throws ServiceError is put to the next node: one that lacks what it is
 * asked for says so by throwing.
 * @throws ServiceError the last refusal; RPC_HTTP_ERROR when no node is trusted
 */
export const askInOrder = async <Node, Answer>(
  nodes: OrderedNodes<Node>,
  question: (node: Node) => Promise<Answer>,
): Promise<Answer> => {
  let failure: unknown = new ServiceError('RPC_HTTP_ERROR', 'No node of this chain can be trusted now.')
  for (const node of nodes.ordered()) {
    try {
      return await question(node)
    } catch (error) {
      if (!ServiceError.is(error)) throw error
      failure = error
    }
  }
  throw failure
}
