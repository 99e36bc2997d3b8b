import { ServiceError } from '@causeway/core'
import { Address, type Transaction } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { AccountState, TonApi, TonNode, TransactionName } from '../rpc/tonApi.js'
import { internalMessage } from '../testing/engine/internalMessage.js'
import { findArrival, isInternal } from './arrival.js'

const [PAYER, RECIPIENT] = [new Address(0, Buffer.alloc(32, 1)), new Address(0, Buffer.alloc(32, 2))]
const CREATED = 100n
/** Height of the block with the payer's transaction. */
const SENT = 10n

const sent = internalMessage(PAYER, RECIPIENT, 5n)
if (!isInternal(sent)) throw new Error('The message is not internal')
const message = { ...sent, info: { ...sent.info, createdLt: CREATED } }

const nameOf = (lt: bigint): TransactionName => ({ lt, hash: lt.toString(16).padStart(64, '0') })

/** A transaction of the recipient that received a message of the payer. */
const receiving = (lt: bigint, createdLt: bigint): Transaction => {
  const named = { lt, prevTransactionLt: 0n, prevTransactionHash: 0n, hash: () => Buffer.from(nameOf(lt).hash, 'hex') }
  // CAST: names and message are all that is read.
  return { ...named, inMessage: { ...message, info: { ...message.info, createdLt } } } as unknown as Transaction
}

interface Shown {
  readonly height: bigint
  readonly transaction: Transaction
  /** Whether the list of the block has it; absent: it has. */
  readonly isListed?: boolean
}

/** A node with one transaction of the recipient, and the methods that it was asked. */
const nodeWith = ({ height, transaction, isListed = true }: Shown, hasLists = true) => {
  const asked: string[] = []
  const noted = <T>(method: string, answer: T): T => {
    asked.push(method)
    return answer
  }
  const state: AccountState = { balance: 0n, status: 'active', code: null, data: null, last: null }
  const api = {
    block: async (at: bigint) => ({ height: at, hash: '', time: 1 }),
    account: async (_: string, at: bigint) =>
      noted('account', at < height ? state : { ...state, last: nameOf(transaction.lt) }),
    transactions: async (_: string, { lt }: TransactionName) =>
      noted('transactions', lt === transaction.lt ? [transaction] : []),
    committed: async (at: bigint) => {
      if (!hasLists) throw new ServiceError('RPC_HTTP_ERROR', 'The node has no lists.')
      const listed = { address: RECIPIENT.toRawString(), ...nameOf(transaction.lt) }
      return noted('committed', at === height && isListed ? [listed] : [])
    },
  }
  // CAST: the questions of an arrival are all that is asked.
  const client = api as unknown as TonApi
  const ask: TonNode['ask'] = (question) => question(client, new AbortController().signal)
  // CAST: a node is only asked here.
  return { asked, node: { ask } as unknown as TonNode }
}

const arrived = { transaction: { lt: 200n }, block: { height: 12n } }
const shown: Shown = { height: 12n, transaction: receiving(200n, CREATED) }

describe('the arrival of a message', () => {
  it('of many is found by the lists of blocks, without a question about the state of each recipient', async () => {
    const { node, asked } = nodeWith(shown)
    expect(await findArrival(node, message, { from: SENT, head: 14n, count: 50 })).toMatchObject(arrived)
    expect(asked).toEqual(['committed', 'committed', 'committed', 'transactions'])
  })

  it('of few is found by the states of the recipient', async () => {
    const { node, asked } = nodeWith(shown)
    expect(await findArrival(node, message, { from: SENT, head: 14n, count: 1 })).toMatchObject(arrived)
    expect(asked).not.toContain('committed')
  })

  it('is the transaction that received this message, whatever a list names', async () => {
    const { node } = nodeWith({ height: 12n, transaction: receiving(200n, CREATED + 1n) })
    expect(await findArrival(node, message, { from: SENT, head: 14n, count: 50 })).toBe(null)
  })

  it('that a list leaves out is found by states once the lists are not read any more', async () => {
    const { node } = nodeWith({ ...shown, isListed: false })
    expect(await findArrival(node, message, { from: SENT, head: 14n, count: 50 })).toBe(null)
    expect(await findArrival(node, message, { from: SENT, head: 40n, count: 50 })).toMatchObject(arrived)
  })

  it('is found by states at a node that has no lists', async () => {
    const { node } = nodeWith(shown, false)
    expect(await findArrival(node, message, { from: SENT, head: 14n, count: 50 })).toMatchObject(arrived)
  })
})
