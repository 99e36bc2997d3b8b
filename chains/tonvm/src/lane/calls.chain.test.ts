import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { Payout } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { JettonWallets } from '../read/jettonWallets.js'
import type { TonNode } from '../rpc/tonApi.js'
import { Toncenter } from '../rpc/toncenter.js'
import { TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'
import { laneReading } from './accountReading.js'

const ARRIVAL = 6

let ton: TonWorld

beforeAll(async () => {
  ton = await openTonWorld()
}, 120_000)

afterAll(() => ton?.close())

/** A node that counts the questions to it. */
const countingNode = () => {
  const api = new Toncenter({ url: ton.network.chain.endpoint.http, timeoutMs: 5000 })
  const counter = { count: 0, close: () => api.close() }
  const ask: TonNode['ask'] = (question) => {
    counter.count += 1
    return question(api, new AbortController().signal)
  }
  // CAST: a node is only asked here.
  return { counter, node: { ask } as unknown as TonNode }
}

it.each([1, 10, 50])('each look at %i fills takes two questions, and at most four for each fill', async (fills) => {
  const { network } = ton
  const { adapter, solver } = await ton.startSolver(1000n * TON, 0n)
  const payouts = Array.from(
    { length: fills },
    (): Payout => ({
      ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: solver.address, calls: [] },
      ...{ to: { address: newKey().address }, money: { currency: NATIVE, amount: TON } },
    }),
  )
  const { position } = await adapter.lane.read(solver.address, null)
  const items = payouts.map((payout) => ({ payout, gas: null }))
  const [first] = (await adapter.lane.prepare(items, position)).prepared
  if (first == null) throw new Error('Nothing was prepared')
  const attempt = await adapter.lane.sign(first, solver.signer)
  const attempts = payouts.map((payout) => ({ txId: attempt.txId, locator: attempt.locator ?? null, payout }))
  const question = { account: solver.address, attempts }
  const reading = laneReading({ wallets: new JettonWallets([]), depositAccount: null })
  const [followed, cold] = [countingNode(), countingNode()]
  try {
    await reading.read(followed.node, question)
    await adapter.lane.broadcast([attempt])
    let total = 0
    for (let isPaid = false; !isPaid; ) {
      await network.chain.advance(1)
      followed.counter.count = 0
      const { transactions } = await reading.read(followed.node, question)
      isPaid = transactions.every((shown) => shown?.arrived?.amount === TON)
      expect(followed.counter.count).toBeLessThanOrEqual(2 + 4 * fills)
      total += followed.counter.count
    }
    // Many fills are found by the lists of blocks, and one transaction each.
    if (fills > 1) expect(total).toBeLessThanOrEqual(30 + fills)
    await network.chain.advance(ARRIVAL)
    // A node that was not asked before has each block to be found once for all.
    const { transactions } = await reading.read(cold.node, question)
    expect(transactions.map((shown) => shown?.arrived?.amount)).toEqual(payouts.map(() => TON))
    expect(cold.counter.count).toBeLessThanOrEqual(12 + 3 * fills)
    const listing = await reading.list(cold.node, solver.address, { sequence: 0n })
    expect(listing.transactions).toHaveLength(fills)
  } finally {
    followed.counter.close()
    cold.counter.close()
  }
})
