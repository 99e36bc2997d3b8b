import type { AttemptState, Payout, PreparedAttempt, SwapOrder } from '@causeway/core/chain'
import { VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { compileMessage } from '../lane/laneTransaction.js'
import { createPayWorld, eventually, freshAddress, type PayWorld } from '../lane/payWorld.test.support.js'
import { WRAPPED_SOL } from '../swap/wrappedSol.js'
import { type LocalSvmChain, type SwapLie, type SwapServer, startLocalSvm, startSwapServer } from '../testing/index.js'

const UNIT = 1_000_000n
const AMOUNT = 100n * UNIT
const SOLS = 1_000_000_000n
const RENT = 2_039_280n

let chain: LocalSvmChain
let server: SwapServer
let world: PayWorld
let dollar: string
let token: string
let next = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0 })
  dollar = await chain.createToken({ decimals: 6 })
  token = await chain.createToken({ decimals: 6, freezable: true })
  server = await startSwapServer(chain, {
    extraAccounts: 4,
    tables: true,
    pools: [
      { mints: [dollar, token], reserves: [1_000_000n * UNIT, 1_000_000n * UNIT] },
      { mints: [WRAPPED_SOL.address, dollar], reserves: [10_000n * SOLS, 1_500_000n * UNIT] },
    ],
  })
  world = createPayWorld(chain, {
    options: { swap: { sources: [{ name: 'local', url: server.url, timeoutMs: 2000 }] } },
  })
  await world.start()
  await chain.fund(world.solver.address, 10_000n * UNIT, dollar)
  await chain.fund(world.solver.address, 7n * UNIT, token)
})
afterEach(() => server.lie(null))
afterAll(async () => {
  world?.close()
  await server?.close()
  await chain?.close()
})

const orderFor = async (from: string, to: string, amount: bigint): Promise<SwapOrder> => {
  const requests = [{ kind: 'exact-input', from, to, amount }] as const
  const [[offer] = []] = (await world.sources?.offers(requests, { maxHops: 3 })) ?? []
  if (offer === undefined) throw new Error('nothing is offered')
  return { offer, minimumOut: (offer.amountOut * 995n) / 1000n, deadline: 2_000_000_000 }
}

const paymentOf = async (
  from: string,
  to: string,
  changes: Parameters<PayWorld['payout']>[0] = {},
): Promise<Payout & { readonly swap: SwapOrder }> => {
  const amount = from === NATIVE ? SOLS : AMOUNT
  const swap = await orderFor(from, to, amount)
  return { ...world.payout({ money: { currency: from, amount }, ...changes }), swap }
}

const prepare = async (payouts: readonly Payout[]): Promise<readonly PreparedAttempt[]> => {
  await chain.advance(1)
  await world.heads.refresh()
  const { prepared } = await world.lane.prepare(
    payouts.map((payout) => ({ payout, gas: null })),
    { sequence: next },
  )
  next += payouts.length
  return prepared.filter((item) => item !== null)
}

const only = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('there is none')
  return item
}

const pay = async (payout: Payout): Promise<AttemptState> => {
  const prepared = only(await prepare([payout]))
  // As it comes back from the database.
  const signed = await world.lane.sign(
    JSON.parse(JSON.stringify(prepared, bigintText)) as PreparedAttempt,
    world.signer,
  )
  expect(await world.lane.broadcast([signed])).toEqual([{ outcome: 'known' }])
  return eventually('the inclusion of the payment', async () => {
    await world.heads.refresh()
    const state = only(await world.lane.states([{ txId: signed.txId, payout }]))
    return state.status === 'success' || state.status === 'reverted' ? state : null
  })
}

const bigintText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

const wealth = async (address: string) => ({
  sol: await world.balance(address),
  dollar: await world.balance(address, dollar),
  token: await world.balance(address, token),
})

describe('a payment through a swap', () => {
  test('tokens for tokens: the recipient gets what the swap gives, the solver loses the payment and the fee', async () => {
    const payout = await paymentOf(dollar, token)
    const before = await wealth(world.solver.address)
    const simulation = await world.simulator.simulate(payout)
    expect(simulation).toMatchObject({ ok: true, accountCreation: RENT })
    const estimated = await world.estimate(payout, simulation)
    const state = await pay(payout)
    const after = await wealth(world.solver.address)
    expect(state).toMatchObject({ status: 'success', paid: payout.swap.offer.amountOut, currencyFee: 0n })
    expect(await world.balance(payout.to.address, token)).toBe(state.paid)
    expect(before.dollar - after.dollar).toBe(AMOUNT)
    expect(before.token).toBe(after.token)
    expect(before.sol - after.sol).toBe(state.fee)
    expect(state.fee).toBe(10_000n + RENT)
    expect(estimated.network.amount).toBe(state.fee)
  })

  test('lamports for tokens and tokens for lamports', async () => {
    const [bought, sold] = [await paymentOf(NATIVE, dollar), await paymentOf(dollar, NATIVE)]
    const before = await wealth(world.solver.address)
    const first = await pay(bought)
    expect(first).toMatchObject({ status: 'success', paid: bought.swap.offer.amountOut, fee: 10_000n + RENT })
    const between = await wealth(world.solver.address)
    expect(before.sol - between.sol).toBe(SOLS + first.fee)
    const second = await pay(sold)
    // The account in which lamports arrive goes to the recipient with its rent.
    expect(second.paid).toBe((await world.balance(sold.to.address)) as bigint)
    expect((second.paid ?? 0n) >= sold.swap.minimumOut + RENT).toBe(true)
    expect(second.fee).toBe(10_000n + RENT)
    expect(between.dollar - (await wealth(world.solver.address)).dollar).toBe(AMOUNT)
  })

  test('a top-up comes along, with a swap and without (wire.md G.1)', async () => {
    const topup = 20_000_000n
    const swapped = await paymentOf(dollar, token, { topup })
    expect(await pay(swapped)).toMatchObject({ status: 'success', fee: 10_000n + RENT })
    expect(await world.balance(swapped.to.address)).toBe(topup)
    const plain = world.payout({ money: { currency: dollar, amount: AMOUNT }, topup })
    expect(await world.simulator.simulate(plain)).toMatchObject({ ok: true })
    expect(await pay(plain)).toMatchObject({ status: 'success', paid: AMOUNT, fee: 5000n + RENT })
    expect(await world.balance(plain.to.address)).toBe(topup)
    const lamports = world.payout({ topup })
    expect(await pay(lamports)).toMatchObject({ status: 'success', paid: SOLS, fee: 5000n })
    expect(await world.balance(lamports.to.address)).toBe(SOLS + topup)
  })

  test('the solver is short, the recipient cannot receive', async () => {
    const amount = 100_000n * UNIT
    const rich = {
      ...world.payout({ money: { currency: dollar, amount } }),
      swap: await orderFor(dollar, token, amount),
    }
    expect(await world.simulator.simulate(rich)).toMatchObject({ ok: false, kind: 'insufficient-funds' })
    const to = freshAddress()
    await chain.openTokenAccount(to, token)
    await chain.freeze(to, token)
    const frozen = await paymentOf(dollar, token, { to })
    expect(await world.simulator.simulate(frozen)).toMatchObject({ ok: false, kind: 'recipient-cannot-receive' })
  })

  test('what it cannot do: calls, tokens with rules of their own', async () => {
    const calls = [{ to: freshAddress(), data: '0x' as const, value: 0n }]
    expect(await world.simulator.simulate(await paymentOf(dollar, token, { calls }))).toMatchObject({ ok: false })
    const taxed = await chain.createToken({ decimals: 6, transferFee: { bps: 100, maximum: 10n ** 12n } })
    const swap = await orderFor(dollar, token, AMOUNT)
    const odd = { ...swap, offer: { ...swap.offer, from: taxed } }
    const payout = { ...world.payout({ money: { currency: taxed, amount: AMOUNT } }), swap: odd }
    expect(await world.simulator.simulate(payout)).toMatchObject({ ok: false, kind: 'revert' })
  })
})

describe('a source that lies (faults.md, five invariants: money leaves only as decided)', () => {
  test.each([
    'thief',
    'short',
    'greedy',
    'foreign-signer',
    'lamports',
    'approve',
    'fail',
    'hang',
    'garbage',
  ] satisfies SwapLie[])('%s: nothing is signed, and the payments beside it are', async (lie) => {
    const payout = await paymentOf(dollar, token)
    const before = await wealth(world.solver.address)
    server.lie(lie)
    expect(await world.simulator.simulate(payout)).toMatchObject({ ok: false })
    const [bad, good] = await prepare([payout, world.payout()])
    if (bad === undefined || good === undefined) throw new Error('two were asked for')
    await expect(world.lane.sign(bad, world.signer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await world.lane.sign(good, world.signer)).txId).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
    expect(await wealth(world.solver.address)).toEqual(before)
  })

  test('one that changes after it was tried cannot take more than the payment: the chain itself bounds it', async () => {
    const payout = await paymentOf(dollar, token)
    server.lie('thief')
    const form = await world.swapForms?.build(payout, 1)
    if (form === undefined) throw new Error('no form')
    const names = form.instructions.flatMap(({ keys, programId }) => [programId, ...keys.map(({ pubkey }) => pubkey)])
    expect(names.some((name) => name.equals(form.escrow.publicKey))).toBe(true)
    const { blockhash } = await chain.connection.getLatestBlockhash()
    const message = compileMessage(form.instructions, payout.from, blockhash, form.tables)
    const transaction = new VersionedTransaction(message)
    transaction.sign([world.solver.keypair, form.escrow])
    const before = await wealth(world.solver.address)
    await chain.waitFor(await chain.connection.sendTransaction(transaction))
    const after = await wealth(world.solver.address)
    expect([before.dollar - after.dollar, before.token - after.token]).toEqual([AMOUNT, 0n])
    expect(before.sol - after.sol).toBe(10_000n + RENT)
  })

  test('the key of the transaction is never stored', async () => {
    const prepared = only(await prepare([await paymentOf(dollar, token)]))
    const text = JSON.stringify(prepared, bigintText)
    expect(prepared.transaction).toMatchObject({
      escrow: { address: expect.any(String), signature: expect.stringMatching(/^0x[0-9a-f]{128}$/) },
    })
    expect(text).not.toMatch(/secret|private/i)
  })
})
