import { controlNode, type LocalChain } from '@causeway/core/testing'
import { beginCell, type Message, storeMessage } from '@ton/core'
import type { Located } from './openLocalTon.js'

type At = Pick<LocalChain, 'endpoint'>

/** Delivers internal messages, and all that they cause, in a block. @throws Error if one of the transactions failed */
export const applyMessages = ({ endpoint }: At, messages: readonly Message[]): Promise<readonly Located[]> => {
  const cells = messages.map((message) => beginCell().store(storeMessage(message)).endCell())
  const encoded = cells.map((cell) => cell.toBoc().toString('base64'))
  return controlNode(endpoint.http, 'apply', encoded)
}

/** The transaction with a hash, or the one that a message with this hash caused; null if no block has it. */
export const locate = ({ endpoint }: At, hash: string): Promise<Located | null> =>
  controlNode(endpoint.http, 'locate', hash)
