import type { Payout } from '@causeway/core/chain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HederaAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { HBAR, type HederaWorld, newKey, only, openHederaWorld, signOne } from '../hederaWorld.test.support.js'
import { accountIdOf, int64, tokenIdOf } from '../testing/engine/values.js'

let world: HederaWorld
let adapter: HederaAdapter
let [share, onTop, inHbar] = ['', '', '']

beforeAll(async () => {
  world = await openHederaWorld()
  const feeCollectorAccountId = accountIdOf(world.treasury)
  const collector = await world.freshAccount()
  const fraction = (netOfTransfers: boolean) => ({
    ...{ feeCollectorAccountId: accountIdOf(collector), allCollectorsAreExempt: false },
    fractionalFee: { fractionalAmount: { numerator: int64(1), denominator: int64(7) }, netOfTransfers },
  })
  share = await world.newToken({ customFees: [fraction(false)] })
  onTop = await world.newToken({ customFees: [fraction(true)] })
  inHbar = await world.newToken({ customFees: [{ feeCollectorAccountId, fixedFee: { amount: int64(5) } }] })
  for (const token of [share, onTop, inHbar]) {
    await world.associate(world.solverId, token)
    await world.associate(world.depositoryId, token)
    await world.chain.fund(world.solver.address, 1_000_000n, token)
    await world.chain.fund(world.vault.address, 1_000_000n, token)
  }
  adapter = world.adapterOver()
  await adapter.start(new AbortController().signal)
}, 60_000)

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

const holderOf = async (currency: string, more: object = {}): Promise<string> => {
  const account = await world.freshAccount(more)
  await world.associate(account, currency)
  return account
}

const balanceOf = (account: string, currency: string): Promise<bigint> => world.reader.balance(account, currency)

const run = async (payout: Payout) => {
  const attempt = await signOne(adapter, world, payout)
  await adapter.lane.broadcast([attempt])
  await world.chain.advance()
  return { attempt, state: only(await adapter.lane.states([{ txId: attempt.txId, payout }])) }
}

describe('a token with a fee of its own', () => {
  it.each(['the recipient', 'the sender'])(
    'that %s pays: a fill brings its whole amount, and the rest is reported',
    async (by) => {
      const currency = by === 'the sender' ? onTop : share
      const to = await holderOf(currency)
      const payout = world.payout(to, { money: { currency, amount: 1001n } })
      expect((await adapter.simulate(payout)).ok).toBe(true)
      const quote = await adapter.estimatePayoutFee(payout)
      const before = await balanceOf(world.solverId, currency)
      const { state } = await run(payout)
      expect(state).toMatchObject({ status: 'success', paid: 1001n })
      expect(await balanceOf(to, currency)).toBe(1001n)
      const spent = before - (await balanceOf(world.solverId, currency))
      expect(spent).toBe(1001n + (state.currencyFee ?? 0n))
      expect(quote.currencyFee).toBe(state.currencyFee)
      expect(state.currencyFee).toBeGreaterThan(100n)
    },
  )

  it.each(['the recipient', 'the sender'])('that %s pays: a withdrawal takes just its amount', async (by) => {
    const currency = by === 'the sender' ? onTop : share
    const payout = world.payout(world.solver.address, { purpose: 'withdraw', money: { currency, amount: 700n } })
    const [depository, solver] = [
      await balanceOf(world.depositoryId, currency),
      await balanceOf(world.solverId, currency),
    ]
    const { state } = await run(payout)
    const taken = depository - (await balanceOf(world.depositoryId, currency))
    const arrived = (await balanceOf(world.solverId, currency)) - solver
    expect(taken).toBeLessThanOrEqual(700n)
    expect(taken).toBeGreaterThanOrEqual(699n)
    expect(state).toMatchObject({ paid: arrived, currencyFee: taken - arrived })
  })

  it('in HBAR is not paid: no book has its fee', async () => {
    const payout = world.payout(await holderOf(inHbar), { money: { currency: inHbar, amount: 10n } })
    expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'revert' })
    await expect(signOne(adapter, world, payout)).rejects.toThrow(/another currency/)
  })
})

it('a transfer that associates its recipient costs more, as it was estimated', async () => {
  const to = await world.freshAccount({ maxAutomaticTokenAssociations: 1 })
  const payout = world.payout(to, { money: { currency: world.token, amount: 5n } })
  const { network } = await adapter.estimatePayoutFee(payout)
  const { attempt, state } = await run(payout)
  expect(state.status).toBe('success')
  expect(attempt.feeCap).toBeGreaterThanOrEqual(state.fee)
  expect(network.amount - state.fee).toBeLessThan(3n)
})

it('a token that is paid to an EVM address opens no account either', async () => {
  const { address } = newKey()
  const payout = world.payout(address, { money: { currency: world.token, amount: 5n } })
  expect((await adapter.simulate(payout)).ok).toBe(false)
  expect((await run(payout)).state.status).not.toBe('success')
  expect(await world.reader.get(`/accounts/${address}`)).toBeNull()
})

describe('a simulation', () => {
  const kindOf = async (payout: Payout) => {
    const result = await adapter.simulate(payout)
    return result.ok ? 'ok' : result.kind
  }

  it('agrees with what the network does', async () => {
    const to = await holderOf(world.token)
    const frozen = await holderOf(world.token)
    await world.made({ tokenFreeze: { account: accountIdOf(frozen), token: tokenIdOf(world.token) } })
    const held = await balanceOf(world.solverId, NATIVE)
    const cases = [
      [world.payout(to), 'ok'],
      [world.payout(to, { money: { currency: world.token, amount: 1n } }), 'ok'],
      [world.payout(frozen, { money: { currency: world.token, amount: 1n } }), 'recipient-cannot-receive'],
      [world.payout('0.0.999999'), 'recipient-cannot-receive'],
      // The amount is there, but the fee is not.
      [world.payout(to, { money: { currency: NATIVE, amount: held } }), 'insufficient-funds'],
      [world.payout(to, { money: { currency: world.token, amount: 10n ** 17n } }), 'insufficient-funds'],
      [
        world.payout(world.solver.address, { purpose: 'withdraw', money: { currency: NATIVE, amount: HBAR } }),
        'insufficient-funds',
      ],
      [world.payout(to, { calls: [{ to, data: '0x', value: 0n }] }), 'revert'],
    ] as const
    for (const [payout, wanted] of cases) expect(await kindOf(payout), JSON.stringify(payout.to)).toBe(wanted)
  })
})
