import type { Transaction } from '@ton/core'
import { expect, it } from 'vitest'
import { JettonWallets } from '../read/jettonWallets.js'
import type { AccountState, TonApi, TonNode, TransactionName } from '../rpc/tonApi.js'
import { DepositSource } from './depositSource.js'

const ACCOUNT = `0:${'11'.repeat(32)}`
const COUNT = 50_000
/** Transactions that a node gives at once. */
const AT_ONCE = 100
/** Masterchain blocks; each has as many transactions as the others. */
const BLOCKS = 100

/** Transactions that name each other, oldest first: what a page does not read is left out. */
const transactions: readonly Transaction[] = Array.from({ length: COUNT }, (_, at) => {
  const hash = Buffer.alloc(32)
  hash.writeUInt32BE(at + 1)
  const previous = Buffer.alloc(32)
  previous.writeUInt32BE(at)
  const named = { lt: BigInt(at + 1), prevTransactionLt: BigInt(at), hash: () => hash }
  // CAST: the names and the message are all that is read.
  return { ...named, prevTransactionHash: BigInt(`0x${previous.toString('hex')}`) } as unknown as Transaction
})

const nameOf = ({ lt, hash }: Transaction): TransactionName => ({ lt, hash: hash().toString('hex') })

const node = (): TonNode => {
  const state: AccountState = { balance: 0n, status: 'active', code: null, data: null, last: null }
  const api = {
    account: async (_: string, height: bigint): Promise<AccountState> => {
      const last = transactions[(Number(height) * COUNT) / BLOCKS - 1]
      return last === undefined ? state : { ...state, last: nameOf(last) }
    },
    block: async (height: bigint) => ({ height, hash: '', time: 1 }),
    transactions: async (_: string, { lt }: TransactionName) =>
      transactions.slice(Math.max(Number(lt) - AT_ONCE, 0), Number(lt)).reverse(),
  }
  // CAST: the questions of a page are all that is asked.
  const asked = api as unknown as TonApi
  // CAST: a node is only asked here.
  return {
    ask: (question: Parameters<TonNode['ask']>[0]) => question(asked, new AbortController().signal),
  } as unknown as TonNode
}

it('a range with 50,000 transactions is read in pages of at most 1000, oldest first, each transaction once', async () => {
  const source = new DepositSource({
    depository: ACCOUNT,
    depositAccount: null,
    isTestnet: false,
    wallets: new JettonWallets([]),
  })
  const asked = node()
  const read: bigint[] = []
  let [most, misplaced] = [0, 0]
  let mark: Awaited<ReturnType<DepositSource['page']>>['more'] = null
  do {
    const page = await source.page(asked, { account: ACCOUNT, after: 0n, upTo: BigInt(BLOCKS), mark })
    expect(page.since).toBe(1n)
    most = Math.max(most, page.transactions.length)
    for (const { transaction, block } of page.transactions) {
      read.push(transaction.lt)
      misplaced += Number(block.height) === Math.ceil((Number(transaction.lt) * BLOCKS) / COUNT) ? 0 : 1
    }
    // A cursor is stored as JSON.
    mark = JSON.parse(JSON.stringify(page.more))
  } while (mark !== null)
  expect(read.every((lt, at) => lt === BigInt(at + 1))).toBe(true)
  expect(read).toHaveLength(COUNT)
  expect(misplaced).toBe(0)
  expect(most).toBeLessThanOrEqual(1000)
})
