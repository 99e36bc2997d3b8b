import { smaller } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Address, CommonMessageInfoInternal, Message, Transaction } from '@ton/core'
import type { Asked } from '../rpc/tonApi.js'
import { askAccount, blocksOf, findAccount, keep, transactionsBack } from './accounts.js'

/** A transaction in its masterchain block. */
export interface Included {
  readonly transaction: Transaction
  readonly block: BlockRef
}

export type Internal = Message & { readonly info: CommonMessageInfoInternal }

export const isInternal = (message: Message): message is Internal => message.info.type === 'internal'

/** Whether a transaction received the message that another account sent at a logical time. */
export const received = ({ inMessage }: Transaction, source: Address, createdLt: bigint): boolean =>
  inMessage?.info.type === 'internal' && inMessage.info.createdLt === createdLt && inMessage.info.src.equals(source)

/** The newest height at which a node did not show a message yet, and the logical time that the recipient had reached there. */
interface Searched {
  readonly after: bigint
  readonly read: bigint
}

const MOST_AWAITED = 10_000
const awaited = new WeakMap<Asked, Map<string, Searched>>()

/**
 * The transaction that received a message, however long the message was on its way; null: it has not arrived up to `head`.
 * @param from height of the block in which the message was sent
 * @throws PrunedError where the node lacks what it would have to know
 */
export const findArrival = async (
  asked: Asked,
  { info: { src, dest, createdLt } }: Internal,
  { from, head }: { readonly from: bigint; readonly head: bigint },
): Promise<Included | null> => {
  const address = dest.toRawString()
  const key = `${src.toRawString()} ${createdLt}`
  const searched = awaited.get(asked) ?? new Map<string, Searched>()
  awaited.set(asked, searched)
  let { after, read } = searched.get(key) ?? { after: from - 1n, read: createdLt }
  for (let step = 2n; after < head; step *= 2n) {
    const upTo = smaller(after + step, head)
    const found = await findAccount(asked, address, upTo)
    const [state, end] = found === null ? [await askAccount(asked, address, head), head] : [found, upTo]
    for await (const transaction of transactionsBack(asked, address, state.last, read)) {
      if (!received(transaction, src, createdLt)) continue
      const blocks = await blocksOf(asked, address, [transaction.lt], { from: after, to: end })
      const block = blocks.get(transaction.lt)
      return block === undefined ? null : { transaction, block }
    }
    ;[after, read] = [end, state.last?.lt ?? read]
    keep(searched, key, { after, read }, MOST_AWAITED)
  }
  return null
}

/** Internal messages that a transaction sent. */
export const sentMessages = ({ outMessages }: Transaction): readonly Internal[] =>
  outMessages.values().filter(isInternal)
