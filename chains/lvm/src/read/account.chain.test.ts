import type { RpcEndpoint } from '@causeway/core/chain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LighterAdapter } from '../adapter.js'
import { NATIVE, PLACEHOLDERS } from '../address/addresses.js'
import { ETH, fillOf, type LighterWorld, newKey, openLighterWorld, PLENTY } from '../lighterWorld.test.support.js'

let world: LighterWorld
let adapter: LighterAdapter

beforeAll(async () => {
  world = await openLighterWorld()
  adapter = world.adapterOver(world.endpoints())
  await adapter.start(new AbortController().signal)
}, 60_000)

afterEach(() => world.chain.clearFaults())

afterAll(async () => {
  await adapter?.stop()
  await world?.chain.close()
})

describe('balances and recipients', () => {
  it('are exact amounts by currency, 0 for an account that does not exist', async () => {
    const account = await world.chain.openAccount(newKey().owner)
    await world.chain.fund(account, 1n, ETH)
    await world.chain.fund(account, 9_007_199_254_740_993n, NATIVE)
    const queries = [
      { address: account, currency: ETH },
      { address: account, currency: NATIVE },
      { address: account, currency: '3' },
      { address: newKey().account, currency: NATIVE },
    ]
    expect((await adapter.getBalances(queries)).amounts).toEqual([1n, 9_007_199_254_740_993n, 0n, 0n])
  })

  it('an index without an account is refused at the quote, a placeholder is not', async () => {
    expect(await adapter.recipientStatus({ address: newKey().account }, NATIVE)).toMatchObject({
      canReceive: false,
      why: expect.stringContaining('no Lighter account'),
    })
    for (const address of [world.user.account, ...PLACEHOLDERS])
      expect(await adapter.recipientStatus({ address }, ETH)).toEqual({ canReceive: true })
    expect(await adapter.recipientStatus({ address: world.vault.account }, NATIVE)).toMatchObject({ canReceive: false })
  })
})

describe('the simulation of a payment', () => {
  it('counts the fee in perps USDC, also for a spot asset', async () => {
    const simulate = (currency: string, amount: bigint) =>
      adapter.simulate(fillOf(world, world.user.account, { money: { currency, amount } }))
    expect(await simulate(NATIVE, PLENTY - 3_000_000n)).toMatchObject({ ok: true })
    expect(await simulate(NATIVE, PLENTY - 2_999_999n)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    expect(await simulate(ETH, PLENTY)).toMatchObject({ ok: true })
    expect(await simulate(ETH, PLENTY + 1n)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
  })

  it('refuses a recipient without an account', async () => {
    expect(await adapter.simulate(fillOf(world, newKey().account))).toMatchObject({
      ok: false,
      kind: 'recipient-cannot-receive',
    })
  })

  it('prices a payment and a deposit at the fee of the exchange', async () => {
    const fee = { network: { currency: NATIVE, amount: 3_000_000n } }
    expect(await adapter.estimatePayoutFee(fillOf(world, PLACEHOLDERS[0] ?? ''))).toMatchObject(fee)
    const money = { currency: ETH, amount: 5n }
    const deposit = { from: world.user.account, money, orderId: `0x${'ab'.repeat(32)}` as const, explicitDeposit: true }
    expect(await adapter.estimateDepositFee(deposit)).toMatchObject(fee)
  })
})

describe('doctor', () => {
  const request = () => ({ timeoutMs: 5000, allocator: world.vault.account })

  it('finds nothing wrong with the accounts of the deployment', async () => {
    const found = (await adapter.diagnose?.(request())) ?? []
    expect(found.filter(({ state }) => state === 'fault')).toEqual([])
    expect(found.length).toBeGreaterThan(3)
  })

  it('finds an allocator key whose account is another one', async () => {
    const found = (await adapter.diagnose?.({ ...request(), allocator: world.user.owner })) ?? []
    expect(found).toContainEqual(expect.objectContaining({ check: 'allocator', state: 'fault' }))
  })

  it.each([
    ['account', { account: '77' }, /not among "accounts"/],
    ['owner', { owner: `0x${'12'.repeat(20)}` }, /belongs to/],
    ['slot of an API key', { apiKeyIndex: 9 }, /no API key in slot 9/],
  ])('finds a solver whose %s is wrong in the options, which stops quotes', async (_, changes, message) => {
    const wrong = world.adapterOver(world.endpoints(), { solverEntry: changes })
    const found = (await wrong.verifyContracts?.({ allocator: world.vault.account })) ?? []
    expect(found).toContainEqual(expect.objectContaining({ state: 'fault', message: expect.stringMatching(message) }))
    await wrong.stop()
  })

  it('finds a node that is away', async () => {
    const gone: RpcEndpoint = { http: 'http://127.0.0.1:9', provider: 'gone' }
    const other = world.adapterOver([gone, ...world.endpoints()])
    const found = (await other.diagnose?.(request())) ?? []
    expect(found.some(({ state, check }) => state === 'fault' && check.startsWith('rpc'))).toBe(true)
    await other.stop()
  })
})
