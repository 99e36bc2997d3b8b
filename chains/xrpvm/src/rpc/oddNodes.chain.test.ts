import type { Hex } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { XrpAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { memosOf } from '../deposit/memos.js'
import { type LedgerWorld, openLedgerWorld } from '../ledgerWorld.test.support.js'
import { type RewritingNode, startRewritingNode } from './rewritingNode.test.support.js'

const ORDER: Hex = `0x${'cd'.repeat(32)}`

type Fields = Readonly<Record<string, unknown>>

let world: LedgerWorld
let odd: RewritingNode
let adapter: XrpAdapter | undefined

beforeAll(async () => {
  world = await openLedgerWorld()
})

afterEach(async () => {
  await adapter?.stop()
  await odd.close()
})

afterAll(() => world?.chain.close())

/** An adapter that asks a node first which is as `change` makes it, and has a whole one besides. */
const beside = async (startLedger: number, change: (node: RewritingNode) => void): Promise<XrpAdapter> => {
  odd = await startRewritingNode(world.chain.rpcUrl)
  change(odd)
  const rpc = [
    { http: odd.url, provider: 'odd' },
    { http: world.chain.rpcUrl, provider: 'whole' },
  ]
  adapter = world.adapterOver({ startLedger }, rpc)
  await adapter.start(new AbortController().signal)
  return adapter
}

const firstDeposit = async (from: XrpAdapter): Promise<DepositEvent | undefined> => {
  const stop = new AbortController()
  for await (const { deposits } of from.watch(null, NOTHING_LIVE, stop.signal)) {
    if (deposits.length > 0) return deposits[0]
  }
  return undefined
}

/** Every transaction of `account_tx` as `change` makes it. */
const transactions = (change: (entry: Fields) => Fields) => (node: RewritingNode) =>
  node.rewrite('account_tx', (answer) => ({
    ...answer,
    transactions: (answer.transactions as readonly Fields[]).map(change),
  }))

it.each<[string, (node: RewritingNode) => void]>([
  ['leaves the hash of a transaction out', transactions(({ hash: _, ...entry }) => entry)],
  ['writes text for a height', transactions((entry) => ({ ...entry, ledger_index: String(entry.ledger_index) }))],
  ['speaks another version of the API', transactions(({ tx_json, ...entry }) => ({ tx: tx_json, ...entry }))],
  ['gives what happened in bytes', transactions((entry) => ({ ...entry, meta: 'ABCD' }))],
  ['is too busy', (node) => node.rewrite('account_tx', () => ({ status: 'error', error: 'slowDown' }))],
  ['has no ledgers', (node) => node.rewrite('account_tx', () => ({ status: 'error', error: 'lgrIdxMalformed' }))],
  [
    'looked through fewer ledgers than it was asked for',
    (node) => node.rewrite('account_tx', (answer) => ({ ...answer, ledger_index_max: 3, transactions: [] })),
  ],
])('a deposit is found by another node where one %s', async (_, change) => {
  const from = (await world.chain.height()) + 1
  const { user: Account, depository: Destination } = world
  const id = await world.pay({ Account, Destination, Amount: '7', Memos: memosOf(ORDER) })
  const found = await firstDeposit(await beside(from, change))
  expect(found).toMatchObject({ tx: { id }, orderId: ORDER, money: { currency: NATIVE, amount: 7n } })
})

it('a node of another network is used for nothing, and said to be one', async () => {
  const other = await beside(1, (node) =>
    node.rewrite('server_info', (answer) => ({ ...answer, info: { ...(answer.info as Fields), network_id: 0 } })),
  )
  await expect.poll(() => other.endpoints().map(({ state }) => state)).toEqual(['distrusted', 'ok'])
  const { amounts } = await other.getBalances([{ address: world.user, currency: NATIVE }])
  expect(amounts[0]).toBeGreaterThan(0n)
})

it('two nodes whose ledgers have different hashes are neither believed: nobody can say which one lies', async () => {
  const lying = (node: RewritingNode) =>
    node.rewrite('ledger', (answer) => ({ ...answer, ledger_hash: 'AB'.repeat(32) }))
  await expect(beside(1, lying)).rejects.toThrow(/No node of chain .* is usable/)
  expect(adapter?.endpoints().map(({ state }) => state)).toEqual(['distrusted', 'distrusted'])
})
