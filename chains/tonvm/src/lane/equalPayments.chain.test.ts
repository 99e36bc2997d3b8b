import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import type { Payout, PreparedAttempt, SignedAttempt } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { preparedJson, readPrepared } from '../payout/paymentForm.js'
import { TON } from '../testing/testedTon.test.support.js'
import { newKey, openTonWorld, type TonWorld } from '../tonWorld.test.support.js'

const ARRIVAL = 6

let ton: TonWorld
let network: TonWorld['network']
let token: string

beforeAll(async () => {
  ton = await openTonWorld()
  ;({ network, token } = ton)
}, 120_000)

afterAll(() => ton?.close())

const world = async (nanotons: bigint, jettons = 0n) => {
  const { solver, adapter } = await ton.startSolver(nanotons, jettons)
  const prepare = async (payouts: readonly Payout[]): Promise<readonly PreparedAttempt[]> => {
    const { position } = await adapter.lane.read(solver.address, null)
    const items = payouts.map((payout) => ({ payout, gas: null }))
    return (await adapter.lane.prepare(items, position)).prepared.flatMap((one) => one ?? [])
  }
  /** One request with the messages of all attempts, as earlier versions made it. */
  const merged = async (payouts: readonly Payout[]): Promise<SignedAttempt> => {
    const prepared = await prepare(payouts)
    const [first] = prepared
    if (first === undefined) throw new Error('Nothing was prepared')
    const messages = [...new Set(prepared)].flatMap(({ transaction }) => readPrepared(transaction).messages)
    const transaction = preparedJson({ ...readPrepared(first.transaction), messages })
    return adapter.lane.sign({ ...first, transaction }, solver.signer)
  }
  const send = async (attempt: SignedAttempt): Promise<void> => {
    await adapter.lane.broadcast([attempt])
    await network.chain.advance(ARRIVAL)
  }
  const stateOf = async ({ txId, locator }: SignedAttempt, payout: Payout) => {
    const [state] = await adapter.lane.states([{ txId, payout, ...(locator !== undefined && { locator }) }])
    return state
  }
  const verdictOf = ({ guards, txId, locator }: SignedAttempt, payout: Payout) =>
    adapter.lane.payoutVerdict(guards, [txId], {
      ...{ agreeing: 1, payout },
      ...(locator !== undefined && { locators: { [txId]: locator } }),
    })
  const held = async (address: string, currency = NATIVE) =>
    (await adapter.getBalances([{ address, currency }])).amounts[0]
  return { adapter, solver, prepare, merged, send, stateOf, verdictOf, held }
}

interface Money {
  readonly currency: string
  readonly amount: bigint
}

/** Refunds of two deposits of one order, which go back to one account. */
const refundsOf = (from: string, first: Money, second: Money) => {
  const [orderId, to] = [bytesToHex(randomBytes(32)), { address: newKey().address }]
  const refund = (money: Money): Payout => ({ purpose: 'refund', orderId, from, to, calls: [], money })
  return [refund(first), refund(second)] as const
}

const coins = (amount: bigint): Money => ({ currency: NATIVE, amount })

describe('two refunds of one order', () => {
  it('never share a request, and a payment of another order joins the first', async () => {
    const { solver, prepare } = await world(100n * TON, 5000n)
    for (const second of [{ currency: token, amount: 5000n }, coins(TON), coins(2n * TON)]) {
      const refunds = refundsOf(solver.address, coins(TON), second)
      const [other] = refundsOf(solver.address, coins(TON), coins(TON))
      const prepared = await prepare([...refunds, other])
      expect(prepared.map((one) => prepared.indexOf(one))).toEqual([0, 1, 0])
    }
  })

  it('each have their own number, and are paid', async () => {
    const { adapter, solver, prepare, send, stateOf, verdictOf, held } = await world(100n * TON, 5000n)
    const refunds = refundsOf(solver.address, coins(TON), { currency: token, amount: 5000n })
    const prepared = await prepare(refunds)
    for (const [at, payout] of refunds.entries()) {
      const one = prepared[at]
      if (one === undefined) throw new Error('A refund was not prepared')
      const attempt = await adapter.lane.sign(one, solver.signer)
      await send(attempt)
      expect((await stateOf(attempt, payout))?.paid).toBe(payout.money.amount)
      expect(await verdictOf(attempt, payout)).toBe('landed')
      expect(await held(payout.to.address, payout.money.currency)).toBe(payout.money.amount)
    }
  })
})

describe('two refunds of one order that one request carries', () => {
  it.each([
    ['different currencies', () => ({ currency: token, amount: 5000n })],
    ['different amounts', () => coins(500n * TON)],
  ])('in %s are told apart', async (_, second) => {
    const { solver, merged, send, stateOf, verdictOf } = await world(1000n * TON, 5000n)
    const refunds = refundsOf(solver.address, coins(TON), second())
    const attempt = await merged(refunds)
    await send(attempt)
    for (const payout of refunds) {
      expect.soft((await stateOf(attempt, payout))?.paid).toBe(payout.money.amount)
      expect.soft(await verdictOf(attempt, payout)).toBe('landed')
    }
  })

  it('equal in all get no verdict, and are listed as two, of which one was skipped', async () => {
    const { adapter, solver, merged, send, verdictOf, held } = await world(10n * TON)
    const { position } = await adapter.lane.read(solver.address, null)
    const height = await network.chain.height()
    const [first, second] = refundsOf(solver.address, coins(6n * TON), coins(6n * TON))
    const attempt = await merged([first, second])
    await send(attempt)
    expect(await held(first.to.address)).toBe(6n * TON)
    for (const payout of [first, second])
      expect(['landed', 'dead']).not.toContain(await verdictOf(attempt, payout).catch(() => 'no answer'))
    const { unknown } = await adapter.lane.read(solver.address, { position, sinceHeight: BigInt(height) })
    const listed = unknown.filter(({ tx }) => tx.id === attempt.txId)
    expect(listed.map(({ status }) => status).sort()).toEqual(['reverted', 'success'])
  })
})
