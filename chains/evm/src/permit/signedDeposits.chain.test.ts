import type { PermitKind } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { TestTokenKind } from '../testing/node/localChain.js'
import { AMOUNT, type PermitWorld, signForm, startPermitWorld } from './permitWorld.test.support.js'

let world: PermitWorld

beforeAll(async () => {
  world = await startPermitWorld(31_140)
})

afterAll(() => world.close())

const WAYS: readonly (readonly [PermitKind, TestTokenKind])[] = [
  ['eip3009', 'authorization'],
  ['eip2612', 'permit'],
  ['permit2', 'standard'],
]

test.each(WAYS)(
  'F.2: a user without gas signs %s, and the lane brings the deposit in under the order id',
  async (kind, of) => {
    const { permits, user, deployment } = world
    const token = await world.token(of)
    expect(await permits.kindOf(token, user.address)).toBe(kind)
    if (kind === 'permit2') await world.allowPermit2(token)
    const terms = world.terms(kind, token)
    expect((await permits.approvals(terms)).items).toEqual([])
    const form = await permits.form(terms)
    const signature = await permits.check(form, await signForm(form, user), { agreeing: 1 })
    expect(await world.balance(ZERO_ADDRESS, user.address)).toBe(0n)
    const { state, txId, guards } = await world.pay(world.payout(form, signature))
    expect(state).toMatchObject({ status: 'success', paid: AMOUNT })
    expect(guards).toHaveLength(2)
    const owner = user.address.toLowerCase()
    expect(await world.told(txId)).toEqual([{ from: owner, token, amount: AMOUNT, id: terms.orderId }])
    expect(await world.deposits(txId)).toMatchObject([
      { depositor: owner, source: owner, senders: [world.solver.address, owner], orderId: terms.orderId },
    ])
    expect(await world.balance(token, deployment.depository)).toBe(AMOUNT)
    expect(await world.balance(token, deployment.permitRouter)).toBe(0n)
    const again = await world.adapter.simulate(world.payout(form, signature))
    expect(again).toMatchObject({ ok: false, kind: 'revert', message: expect.stringMatching(/was used before/) })
  },
)
