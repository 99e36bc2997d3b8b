import { readFileSync } from 'node:fs'
import { beginCell, Cell, Dictionary, loadTransaction, type Message, storeTransaction, type Transaction } from '@ton/core'
import { beforeAll, expect, it } from 'vitest'
import { JettonWallets } from '../read/jettonWallets.js'
import type { AccountState, TonApi, TonNode, TransactionName } from '../rpc/tonApi.js'
import { DepositSource } from './depositSource.js'

const ACCOUNT = `0:${'11'.repeat(32)}`
const COUNT = 50_000
/** Transactions that a node gives at once. */
const AT_ONCE = 100
/** Masterchain blocks; each has as many transactions as the others. */
const BLOCKS = 100

const file = new URL('../testing/engine/fixtures/transactions.json', import.meta.url)
// CAST: the recorded transactions, whose sources the file names.
const { transactions } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly transactions: readonly { readonly name: string; readonly boc: string }[]
}
const boc = transactions.find(({ name }) => name === 'transaction')?.boc ?? ''

/** Cells of transactions that name each other, oldest first. */
const cells: Cell[] = []
const names: TransactionName[] = []

beforeAll(() => {
  const sample = loadTransaction(Cell.fromBase64(boc).beginParse())
  const outMessages = Dictionary.empty<number, Message>(Dictionary.Keys.Uint(15))
  const recorded = { ...sample, inMessage: null, outMessages, outMessagesCount: 0 }
  let [lt, hash] = [0n, 0n]
  for (let at = 0; at < COUNT; at += 1) {
    const next: Transaction = { ...recorded, prevTransactionLt: lt, prevTransactionHash: hash, lt: BigInt(at + 1) }
    const cell = beginCell().store(storeTransaction(next)).endCell()
    ;[lt, hash] = [next.lt, BigInt(`0x${cell.hash().toString('hex')}`)]
    cells.push(cell)
    names.push({ lt, hash: cell.hash().toString('hex') })
  }
}, 120_000)

const node = (): TonNode => {
  const state: AccountState = { balance: 0n, status: 'active', code: null, data: null, last: null }
  const api = {
    account: async (_: string, height: bigint): Promise<AccountState> => {
      const last = names[(Number(height) * COUNT) / BLOCKS - 1]
      return last === undefined ? state : { ...state, last }
    },
    block: async (height: bigint) => ({ height, hash: '', time: 1 }),
    transactions: async (_: string, { lt }: TransactionName) =>
      cells
        .slice(Math.max(Number(lt) - AT_ONCE, 0), Number(lt))
        .reverse()
        .map((cell) => loadTransaction(cell.beginParse())),
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
  let most = 0
  let mark: Awaited<ReturnType<DepositSource['page']>>['more'] = null
  do {
    const page = await source.page(asked, { account: ACCOUNT, after: 0n, upTo: BigInt(BLOCKS), mark })
    expect(page.since).toBe(1n)
    most = Math.max(most, page.transactions.length)
    for (const { transaction, block } of page.transactions) {
      read.push(transaction.lt)
      expect(Number(block.height)).toBe(Math.ceil((Number(transaction.lt) * BLOCKS) / COUNT))
    }
    // A cursor is stored as JSON.
    mark = JSON.parse(JSON.stringify(page.more))
  } while (mark !== null)
  expect(read).toEqual(names.map(({ lt }) => lt))
  expect(most).toBeLessThanOrEqual(1000)
}, 120_000)
