import type { Hex } from '@causeway/core'
import { type DepositEvent, NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { AccountInfoResponse } from 'xrpl'
import type { XrpAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { type LedgerWorld, newAddress, openLedgerWorld, UNIT, XRP } from '../ledgerWorld.test.support.js'
import { LEDGER_EPOCH } from '../rpc/ledgerHead.js'
import { checkIndex } from '../testing/engine/state/entryIndex.js'
import { callNode } from '../testing/node/callNode.js'
import { memosOf } from './memos.js'

const ORDER: Hex = `0x${'ab'.repeat(32)}`

let world: LedgerWorld
const adapters: XrpAdapter[] = []

beforeAll(async () => {
  world = await openLedgerWorld()
})

afterEach(async () => {
  for (const adapter of adapters.splice(0)) await adapter.stop()
  await world.chain.cutHistory(null)
})

afterAll(() => world?.chain.close())

const started = async (...made: Parameters<LedgerWorld['adapterOver']>): Promise<XrpAdapter> => {
  const adapter = world.adapterOver(...made)
  adapters.push(adapter)
  await adapter.start(new AbortController().signal)
  return adapter
}

/** Watches until as many deposits came. */
const watched = async (adapter: XrpAdapter, cursor: WatchPage['cursor'], count: number) => {
  const found: DepositEvent[] = []
  const stop = new AbortController()
  for await (const { deposits } of adapter.watch(cursor, NOTHING_LIVE, stop.signal)) {
    found.push(...deposits)
    if (found.length >= count) stop.abort()
  }
  return found
}

/** An account may be deleted so many ledgers after its first one. */
const LEAST_AGE = 256

const rootOf = async (account: string) => {
  const asked = [{ account, ledger_index: 'validated' }]
  const { account_data } = await callNode<AccountInfoResponse['result']>(world.chain.rpcUrl, 'account_info', asked)
  return account_data
}

const nextNumber = async (account: string): Promise<number> => (await rootOf(account)).Sequence

const drops = async (account: string): Promise<bigint> => BigInt((await rootOf(account)).Balance)

const deposit = (fields: object = {}) =>
  world.pay({ Account: world.user, Destination: world.depository, Amount: '7', Memos: memosOf(ORDER), ...fields })

it('a websocket tells of a deposit long before anybody would ask', async () => {
  const adapter = await started({ pollIntervalMs: 600_000 })
  const { height } = await adapter.tip()
  const finding = watched(adapter, { height: `${height}`, checked: `${height}`, hash: null, part: null }, 1)
  const id = await deposit({ SourceTag: 5 })
  expect(await finding).toMatchObject([
    { tx: { id }, orderId: ORDER, depositor: `${world.user}?tag=5`, money: { currency: NATIVE, amount: 7n } },
  ])
})

it('deposits are read from "startLedger" on, page by page, in their order', async () => {
  const from = (await world.chain.height()) + 1
  const ids: string[] = []
  for (let made = 0; made < 3; made += 1) ids.push(await deposit())
  const adapter = await started({ startLedger: from })
  expect((await watched(adapter, null, 3)).map(({ tx }) => tx.id)).toEqual(ids)
})

it('what delivers XRP and is no payment is no deposit, whatever its memo says (chains.md xrpvm 4)', async () => {
  const { chain, depository: Destination, apply } = world
  const Account = newAddress()
  await world.fund(Account, 100n * XRP)
  await chain.advance(LEAST_AGE)
  const from = (await chain.height()) + 1
  const Memos = memosOf(ORDER)
  const number = await nextNumber(Account)
  const FinishAfter = Math.floor(Date.now() / 1000) - LEDGER_EPOCH + 60
  const [escrow, check] = [number, number + 1]
  await apply({ TransactionType: 'EscrowCreate', Account, Destination, Amount: '5000000', FinishAfter })
  await apply({ TransactionType: 'CheckCreate', Account, Destination, SendMax: '3000000' })
  await chain.closeAt(new Date((FinishAfter + LEDGER_EPOCH + 1) * 1000))
  const before = await drops(Destination)
  await apply({ TransactionType: 'EscrowFinish', Account, Owner: Account, OfferSequence: escrow, Memos })
  const CheckID = checkIndex(Account, check)
  await apply({ TransactionType: 'CheckCash', Account: Destination, CheckID, Amount: '3000000', Memos })
  await apply({ TransactionType: 'AccountDelete', Account, Destination, Memos })
  expect((await drops(Destination)) - before).toBe(100n * XRP)
  const id = await deposit()
  const adapter = await started({ startLedger: from })
  expect((await watched(adapter, null, 1)).map(({ tx }) => tx.id)).toEqual([id])
})

it('where no node has the ledgers that come next the watcher waits, and skips nothing', async () => {
  const from = (await world.chain.height()) + 1
  const id = await deposit()
  await world.chain.advance(5)
  const adapter = await started({ startLedger: from })
  await world.chain.cutHistory(`1-${from}`)
  const stop = new AbortController()
  const pages: WatchPage[] = []
  const reading = (async () => {
    for await (const page of adapter.watch(null, NOTHING_LIVE, stop.signal)) {
      pages.push(page)
      if (page.deposits.length > 0) stop.abort()
    }
  })()
  // It asks, and asks again; what it is told has a gap.
  const asked = async () => (await world.chain.counts()).account_tx ?? 0
  const before = await asked()
  await expect.poll(asked).toBeGreaterThan(before + 1)
  expect(pages).toEqual([])
  await world.chain.cutHistory(null)
  await reading
  expect(pages.flatMap(({ deposits }) => deposits)).toMatchObject([{ tx: { id } }])
})

it('a deposit whose ledger a node lost is neither confirmed nor denied by it', async () => {
  const from = await world.chain.height()
  await deposit()
  const adapter = await started({ startLedger: from })
  const [found] = await watched(adapter, null, 1)
  if (found === undefined) throw new Error('There is no deposit')
  expect(await adapter.confirmDeposit(found, { agreeing: 1 })).toBe(true)
  expect(await adapter.recheckDeposits([found])).toMatchObject([{ finding: 'present' }])
  await world.chain.advance(3)
  await world.chain.cutHistory(`1-${from}`)
  await expect(adapter.confirmDeposit(found, { agreeing: 1 })).rejects.toThrow(/node/)
  await expect(adapter.recheckDeposits([found])).rejects.toThrow(/node/)
  expect((await adapter.findTransaction({ id: found.tx.id })).status).toBe('unknown')
})

it('a deposit step names the most that is spent where the issuer takes something of it', async () => {
  const { issuer, user, token, apply } = world
  await apply({ TransactionType: 'AccountSet', Account: issuer, TransferRate: 1_005_000_000 })
  const adapter = await started()
  const request = { from: user, money: { currency: token, amount: UNIT / 10n }, orderId: ORDER, explicitDeposit: true }
  const [step] = await adapter.buildDeposit(request)
  expect(step?.data).toMatchObject({
    chainId: adapter.chainId,
    transaction: { Amount: { value: '0.1' }, SendMax: { value: '0.1005' } },
  })
})
