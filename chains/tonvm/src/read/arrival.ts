import { ServiceError, smaller } from '@causeway/core'
import type { BlockRef } from '@causeway/core/chain'
import type { Address, CommonMessageInfoInternal, Message, Transaction } from '@ton/core'
import type { Asked, TransactionName } from '../rpc/tonApi.js'
import { askAccount, askBlock, blocksOf, findAccount, keptByNode, transactionsBack } from './accounts.js'

/** A transaction in its masterchain block. */
export interface Included {
  readonly transaction: Transaction
  readonly block: BlockRef
}

export type Internal = Message & { readonly info: CommonMessageInfoInternal }

export const isInternal = (message: Message): message is Internal => message.info.type === 'internal'

/** Internal messages that a transaction sent. */
export const sentMessages = ({ outMessages }: Transaction): readonly Internal[] =>
  outMessages.values().filter(isInternal)

/** Whether a transaction received the message that another account sent at a logical time. */
export const received = ({ inMessage }: Transaction, source: Address, createdLt: bigint): boolean =>
  inMessage?.info.type === 'internal' && inMessage.info.createdLt === createdLt && inMessage.info.src.equals(source)

/** Heights of the block in which a message was sent, and of the newest block. */
interface Since {
  readonly from: bigint
  readonly head: bigint
}

/** Messages of one transaction from which on all of them are looked up in the lists of blocks. */
const MANY = 8
/** Masterchain blocks whose lists are read; a later arrival is found by the recipient's states. */
const LISTED = 16n

/**
 * The transaction that received a message, however long the message was on its way; null: it has not arrived up to `head`.
 * @param count messages that were sent with it: the lists of blocks cost the same for one as for many
 * @throws PrunedError where the node lacks what it would have to know
 */
export const findArrival = async (
  asked: Asked,
  message: Internal,
  { from, head, count }: Since & { readonly count: number },
): Promise<Included | null> => {
  if (count < MANY || head - from > LISTED) return arrivalByStates(asked, message, { from, head })
  try {
    return await arrivalInLists(asked, message, { from, head })
  } catch (error) {
    if (ServiceError.is(error)) return arrivalByStates(asked, message, { from, head })
    throw error
  }
}

const arrivalByStates = async (
  asked: Asked,
  { info: { src, dest, createdLt } }: Internal,
  { from, head }: Since,
): Promise<Included | null> => {
  const address = dest.toRawString()
  let [after, read] = [from - 1n, createdLt]
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
  }
  return null
}

/** The newest transaction of an account in a block, and the logical time of the oldest. */
interface Listed {
  readonly newest: TransactionName
  readonly oldest: bigint
}

const keptLists = keptByNode<ReadonlyMap<string, Listed>>(64)

/** Accounts with transactions in a masterchain block. */
const listedIn = (asked: Asked, height: bigint) =>
  keptLists(asked, `${height}`, async () => {
    const listed = new Map<string, Listed>()
    for (const { address, lt, hash } of await asked.ask((api, signal) => api.committed(height, signal))) {
      const { newest, oldest } = listed.get(address) ?? { newest: { lt, hash }, oldest: lt }
      listed.set(address, { newest: lt > newest.lt ? { lt, hash } : newest, oldest: smaller(oldest, lt) })
    }
    return listed
  })

/** The lists name transactions; whether one received the message is judged by the transaction itself, which its hash proves. */
const arrivalInLists = async (
  asked: Asked,
  { info: { src, dest, createdLt } }: Internal,
  { from, head }: Since,
): Promise<Included | null> => {
  const address = dest.toRawString()
  for (let height = from; height <= head; height += 1n) {
    const listed = (await listedIn(asked, height))?.get(address)
    if (listed === undefined) continue
    for await (const transaction of transactionsBack(asked, address, listed.newest, listed.oldest - 1n)) {
      const block = received(transaction, src, createdLt) ? await askBlock(asked, height) : null
      if (block !== null) return { transaction, block }
    }
  }
  return null
}
