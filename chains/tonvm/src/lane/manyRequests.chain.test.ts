import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { Payout, PreparedAttempt } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'

const ARRIVAL = 6

let ton: TonWorld

beforeAll(async () => {
  ton = await openTonWorld()
}, 120_000)

afterAll(() => ton?.close())

it.each([
  ['TON', 84, 2],
  // Each message of a transfer of jettons is found by the lists of blocks.
  ['jettons', 10, 1],
])('many fills of %s are paid, one request after the other', async (kind, fills, count) => {
  const { adapter, solver } = await ton.startSolver(1000n * TON, 1000n * TON)
  const currency = kind === 'TON' ? NATIVE : ton.token
  const payouts = Array.from(
    { length: fills },
    (): Payout => ({
      ...{ purpose: 'fill', orderId: bytesToHex(randomBytes(32)), from: solver.address, calls: [] },
      ...{ to: { address: newKey().address }, money: { currency, amount: TON } },
    }),
  )
  const { position } = await adapter.lane.read(solver.address, null)
  const items = payouts.map((payout) => ({ payout, gas: null }))
  const prepared = (await adapter.lane.prepare(items, position)).prepared.flatMap((one) => one ?? [])
  expect(prepared).toHaveLength(fills)
  const requests = new Map<PreparedAttempt, Awaited<ReturnType<typeof adapter.lane.sign>>>()
  for (const one of new Set(prepared)) requests.set(one, await adapter.lane.sign(one, solver.signer))
  expect(requests.size).toBe(count)
  const asked = prepared.flatMap((one, at) => {
    const [signed, payout] = [requests.get(one), payouts[at]]
    return signed && payout ? [{ txId: signed.txId, payout, locator: signed.locator ?? null }] : []
  })
  // A node takes the next number alone: the others are sent again.
  for (const signed of requests.values()) {
    await adapter.lane.broadcast([...requests.values()])
    await ton.network.chain.advance(ARRIVAL)
    const states = await adapter.lane.states(asked.filter(({ txId }) => txId === signed.txId))
    expect(states.every(({ status, paid }) => status === 'success' && paid === TON)).toBe(true)
  }
  expect((await adapter.lane.states(asked)).every(({ status }) => status === 'success')).toBe(true)
})
