import { callRunnerAbi, eventTopics, testTokenAbi } from '@causeway/contracts-abi'
import type { AttemptState, Payout, Simulation } from '@causeway/core/chain'
import { concat, encodeFunctionData, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { prepareAll } from '../lane/prepareAll.test.support.js'
import { privateKeySigner } from '../testing/localSigner.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { deployTestExchange } from '../testing/testExchange.js'
import { encodeTransfer } from './contracts/staticCall.js'
import { readPayout } from './readPayout.js'

const ORDER_ID = `0x${'cd'.repeat(32)}` as const
const PAYEE = `0x${'13'.repeat(20)}`
const WRAPPED = `0x${'77'.repeat(20)}`

let deployment: TestDeployment
let adapter: EvmAdapter
let solver: LocalAccount
let paid: string
let wanted: string
let exchange: Awaited<ReturnType<typeof deployTestExchange>>
let recipients = 0

beforeAll(async () => {
  deployment = await startTestDeployment(31_121)
  const { chain, swapRouter } = deployment
  solver = chain.accounts[1] as LocalAccount
  paid = deployment.token
  wanted = await chain.deployToken({ name: 'Wanted', symbol: 'WNT', decimals: 6 })
  exchange = await deployTestExchange(chain, { swapRouter, tokens: [wanted] })
  await deployment.allowRouters(solver, [paid])
  adapter = deployment.adapter({ options: { swap: { router: swapRouter, wrappedNative: WRAPPED } } })
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})

/** Somebody who has nothing yet. */
const freshRecipient = (): string => {
  recipients += 1
  return `0x${recipients.toString(16).padStart(40, 'a')}`
}

const payout = (extra: Partial<Payout> & { readonly currency?: string; readonly amount?: bigint } = {}): Payout => {
  const { currency = paid, amount = 1_000n, ...rest } = extra
  const money = { currency, amount }
  return {
    purpose: 'fill',
    orderId: ORDER_ID,
    from: solver.address,
    to: { address: freshRecipient() },
    money,
    calls: [],
    ...rest,
  }
}

const swapped = (extra: Parameters<typeof payout>[0] = {}, to = wanted, minimumOut = 500n): Payout => {
  const { currency = paid, amount = 1_000n } = extra ?? {}
  const swap = exchange.order({ from: currency, to, amountIn: amount, amountOut: 500n, minimumOut, take: 990n })
  return payout({ ...extra, swap })
}

const holds = async (owner: string, currency: string): Promise<bigint> =>
  (await adapter.getBalances([{ address: owner, currency }])).amounts[0] ?? 0n

const failure = (simulation: Simulation) => {
  if (simulation.ok) throw new Error('Expected a failure')
  return simulation
}

/** Simulates, signs and sends, as the solver does; what the chain says of it, and its transaction. */
const run = async (subject: Payout): Promise<AttemptState & { readonly used: bigint; readonly limit: bigint }> => {
  const simulation = await adapter.simulate(subject, 'bound')
  if (!simulation.ok) throw new Error(simulation.message)
  const { position } = await adapter.lane.read(solver.address, null)
  const { prepared } = await prepareAll(adapter.lane, [{ payout: subject, gas: simulation.gas }], position)
  const [first] = prepared
  if (first === undefined) throw new Error('Nothing was prepared')
  const signed = await adapter.lane.sign(first, privateKeySigner(solver.privateKey))
  expect(await adapter.lane.broadcast([signed])).toEqual([{ outcome: 'known' }])
  const deadline = Date.now() + 60_000
  for (;;) {
    const [state] = await adapter.lane.states([{ txId: signed.txId, payout: subject }])
    if (state?.block != null) {
      // CAST: written by the lane.
      const { gas } = first.transaction as { gas: string }
      const { gasUsed } = await deployment.chain.rpc<{ gasUsed: Hex }>('eth_getTransactionReceipt', [signed.txId])
      return { ...state, used: BigInt(gasUsed), limit: BigInt(gas) }
    }
    if (Date.now() > deadline) throw new Error('It was not mined')
  }
}

const readBack = ({ txData }: AttemptState) => {
  if (txData === null) throw new Error('No transaction')
  const { depository, fillRouter, swapRouter: router } = deployment
  const swap = { router, wrappedNative: WRAPPED, multicall: null, connectors: [], priceDepths: new Map() }
  const settings = { ...swap, uniswapV2: [], uniswapV3: [], aggregators: [] }
  const contracts = {
    chainId: 31_121,
    depository,
    fillRouter,
    depositAddressFactory: null,
    formerDepositAddressFactories: [],
    permits: null,
    directCallTargets: new Set<string>(),
    swap: settings,
    recipientGasLimit: 1n,
  }
  return readPayout({ to: txData.to, data: txData.data as Hex, value: BigInt(txData.value) }, contracts)
}

describe('a payout that swaps', () => {
  test('pays what comes out to the recipient, with the rest of the input, and is read back', async () => {
    const subject = swapped()
    const state = await run(subject)
    expect(state).toMatchObject({ status: 'success', paid: 500n })
    const { address } = subject.to
    expect([await holds(address, wanted), await holds(address, paid)]).toEqual([500n, 10n])
    const { orderId, purpose, to, money } = readBack(state)
    expect({ orderId, purpose, to, money }).toEqual({
      orderId: ORDER_ID,
      purpose: 'fill',
      to: address,
      money: subject.money,
    })
  })

  test('takes and gives native currency, and a top-up beside it (wire.md G.1)', async () => {
    const out = swapped({ topup: 7n }, ZERO_ADDRESS)
    await run(out)
    expect(await holds(out.to.address, ZERO_ADDRESS)).toBe(507n)
    const into = swapped({ currency: ZERO_ADDRESS, topup: 7n })
    const state = await run(into)
    expect(await holds(into.to.address, wanted)).toBe(500n)
    // Its own top-up and the ten that the exchange did not take.
    expect(await holds(into.to.address, ZERO_ADDRESS)).toBe(17n)
    expect(readBack(state).money).toEqual(into.money)
  })

  test('lets the calls of the order work with what comes out (wire.md G.2)', async () => {
    const calls = [{ to: wanted, data: encodeTransfer(PAYEE, 300n), value: 0n }]
    const subject = swapped({ calls, topup: 5n })
    const before = await holds(PAYEE, wanted)
    // All of it was paid, whatever the calls left of it.
    expect(await run(subject)).toMatchObject({ paid: 500n, received: 200n })
    expect((await holds(PAYEE, wanted)) - before).toBe(300n)
    expect(await holds(subject.to.address, wanted)).toBe(200n)
    expect(await holds(subject.to.address, ZERO_ADDRESS)).toBe(5n)
  })

  test('is refused below its minimum, too late, and by a source that is gone', async () => {
    const short = failure(await adapter.simulate(swapped({}, wanted, 501n)))
    expect(short).toMatchObject({
      kind: 'revert',
      message: 'The transaction would fail: the swap gives 500 only, less than its minimum',
    })
    const order = exchange.order({ from: paid, to: wanted, amountIn: 1_000n, amountOut: 500n })
    const late = failure(await adapter.simulate(payout({ swap: { ...order, deadline: 1 } })))
    expect(late.message).toBe('The transaction would fail: the swap is too late')
    const route = { kind: 'uniswap-v2', path: [paid, wanted] }
    const gone = failure(await adapter.simulate(payout({ swap: { ...order, offer: { ...order.offer, route } } })))
    expect(gone).toMatchObject({ kind: 'revert', message: 'The swap source "test" is not configured.' })
  })

  test('the typical gas is of the size that a simulation finds', async () => {
    const subject = swapped()
    const guess = await adapter.estimatePayoutFee(subject)
    const exact = await adapter.estimatePayoutFee(subject, await adapter.simulate(subject))
    expect(guess.network.amount).toBeGreaterThanOrEqual(exact.network.amount)
    expect(guess.network.amount).toBeLessThan(exact.network.amount * 2n)
  })
})

describe('what calls leave for the recipient (wire.md G.2)', () => {
  test('is told of a token by its logs, all or nothing too, and not of native currency or without calls', async () => {
    const give = (amount: bigint) => [{ to: paid, data: encodeTransfer(PAYEE, amount), value: 0n }]
    for (const amount of [1_000n, 1n]) {
      const subject = payout({ calls: give(amount) })
      expect(await run(subject)).toMatchObject({ paid: 1_000n, received: 1_000n - amount })
      expect(await holds(subject.to.address, paid)).toBe(1_000n - amount)
    }
    const recipient = freshRecipient()
    const back = payout({
      to: { address: recipient },
      calls: [{ to: paid, data: encodeTransfer(recipient, 400n), value: 0n }],
    })
    expect(await run(back)).toMatchObject({ paid: 1_000n, received: 1_000n })
    const native = payout({ currency: ZERO_ADDRESS, calls: [{ to: PAYEE, data: '0x', value: 300n }] })
    expect(await run(native)).not.toHaveProperty('received')
    expect(await run(payout())).not.toHaveProperty('received')
  })
})

describe('a top-up beside a token (wire.md G.1)', () => {
  test('goes with it in one transaction', async () => {
    expect(adapter.capabilities.gasTopup).toBe(true)
    const subject = payout({ topup: 9n })
    const state = await run(subject)
    expect(state.paid).toBe(1_000n)
    expect([await holds(subject.to.address, paid), await holds(subject.to.address, ZERO_ADDRESS)]).toEqual([1_000n, 9n])
    expect(readBack(state)).toMatchObject({ orderId: ORDER_ID, purpose: 'fill', money: subject.money })
  })

  test('is not at the disposal of calls', async () => {
    const calls = [{ to: PAYEE, data: '0x' as const, value: 9n }]
    const refused = failure(await adapter.simulate(payout({ topup: 9n, calls })))
    expect(refused.kind).toBe('revert')
    expect(refused.call).toEqual({ from: deployment.fillRouter, to: PAYEE, data: '0x', value: '9' })
    const mint = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [getAddress(PAYEE), 1n] })
    const subject = payout({ topup: 9n, calls: [{ to: wanted, data: mint, value: 0n }] })
    await run(subject)
    expect(await holds(subject.to.address, ZERO_ADDRESS)).toBe(9n)
  })

  test('names a recipient who takes none (F60)', async () => {
    const refused = failure(await adapter.simulate(payout({ topup: 9n, to: { address: wanted } })))
    expect(refused.kind).toBe('recipient-cannot-receive')
  })
})

describe('what the solver lacks', () => {
  test('too few tokens, or no allowance for the router, is said in plain words', async () => {
    const short = failure(await adapter.simulate(payout({ topup: 1n, amount: 10n ** 30n })))
    expect(short).toMatchObject({
      kind: 'insufficient-funds',
      message: 'The solver does not hold enough of this currency now.',
    })
    const other = await deployment.chain.deployToken({ name: 'Other', symbol: 'OTH', decimals: 6 })
    await deployment.chain.fund(solver.address, 10_000n, other)
    for (const subject of [payout({ currency: other, topup: 1n }), swapped({ currency: other })]) {
      expect(failure(await adapter.simulate(subject, 'bound'))).toMatchObject({
        kind: 'insufficient-funds',
        message: 'The solver has not allowed the router of this chain to take enough of this currency.',
      })
    }
  })
})

describe('gas set aside for calls (wire.md 1.2 txsGasLimit)', () => {
  test('caps the transaction, and refuses calls that take more', async () => {
    // Many transfers: some 30 000 gas each.
    const calls = Array.from({ length: 40 }, (_, at) => ({
      to: paid,
      data: encodeTransfer(`0x${(at + 1).toString(16).padStart(40, 'b')}`, 1n),
      value: 0n,
    }))
    const refused = failure(await adapter.simulate(payout({ calls, callsGasLimit: 50_000n })))
    expect(refused).toMatchObject({
      kind: 'revert',
      message: 'The payment uses more gas than is set aside for it',
    })
    const subject = payout({ calls, callsGasLimit: 1_500_000n })
    const { status, used, limit } = await run(subject)
    expect(status).toBe('success')
    expect(limit).toBeLessThan((used * 13n) / 10n)
  })
})

describe('delegations (EIP-7702, wire.md 1.2 authorizationList)', () => {
  test('are applied by the transaction, and a cancellation carries none', async () => {
    const { chain } = deployment
    const account = chain.accounts[4] as LocalAccount
    const code = await chain.deploy(callRunnerAbi, concat(['0x6001600c60003960016000f3', '0x00']))
    const signed = await privateKeyToAccount(account.privateKey).signAuthorization({
      address: getAddress(code),
      chainId: 31_121,
      nonce: Number(await chain.rpc<Hex>('eth_getTransactionCount', [account.address, 'latest'])),
    })
    const { chainId, address, nonce, r, s } = signed
    const delegations = [{ chainId, address, nonce, r, s, yParity: signed.yParity ?? 0 }]
    const subject = payout({ delegations, to: { address: account.address } })
    const before = await holds(account.address, paid)
    const state = await run(subject)
    expect(state.status).toBe('success')
    expect((await holds(account.address, paid)) - before).toBe(1_000n)
    expect(await chain.rpc('eth_getCode', [account.address, 'latest'])).toBe(`0xef0100${code.slice(2)}`)

    const { position } = await adapter.lane.read(solver.address, null)
    const { prepared } = await prepareAll(adapter.lane, [{ payout: subject, gas: 300_000n }], position)
    const [attempt] = prepared
    if (attempt === undefined) throw new Error('Nothing was prepared')
    expect(attempt.transaction).toMatchObject({ type: 'eip7702' })
    expect((await adapter.lane.replace(attempt))?.transaction).toMatchObject({ type: 'eip7702', delegations })
    const cancelled = await adapter.lane.cancel(attempt)
    expect(cancelled?.transaction).toMatchObject({ type: 'eip1559' })
    expect(cancelled?.transaction).not.toHaveProperty('delegations')
  })

  test('a chain with legacy transactions takes none', async () => {
    const legacy = deployment.adapter({ options: { feeMode: 'legacy' } })
    const delegation = {
      chainId: 0,
      address: PAYEE,
      nonce: 0,
      yParity: 0,
      r: eventTopics.transfer,
      s: eventTopics.transfer,
    }
    const refused = failure(await legacy.simulate(payout({ delegations: [delegation] })))
    expect(refused.message).toBe('This chain takes no delegations of accounts.')
  })
})
