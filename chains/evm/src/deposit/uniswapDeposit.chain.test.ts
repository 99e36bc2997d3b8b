import type { Json } from '@causeway/core'
import type { DepositRequest, Payout, SwapOffer } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { LocalAccount, SentTransaction } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { deployUniswap } from '../testing/uniswap/uniswap.js'

const ORDER_ID = `0x${'ab'.repeat(32)}` as const
const WHOLE = 10n ** 18n
const DOLLAR = 10n ** 6n

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
let solver: LocalAccount
let dollar: string
let other: string

beforeAll(async () => {
  deployment = await startTestDeployment(31_125)
  const { chain, token, swapRouter } = deployment
  user = chain.accounts[0] as LocalAccount
  solver = chain.accounts[1] as LocalAccount
  dollar = token
  other = await chain.deployToken({ name: 'Other', symbol: 'OTH', decimals: 18 })
  await chain.fund(user.address, 1_000n * WHOLE, other)
  const uniswap = await deployUniswap(chain)
  const native = { token: ZERO_ADDRESS, amount: 100n * WHOLE }
  await uniswap.createPair([{ token: dollar, amount: 200_000n * DOLLAR }, native])
  await uniswap.createPair([{ token: other, amount: 1_000n * WHOLE }, native])
  await uniswap.createPool({ sides: [{ token: other, amount: 1_000n * WHOLE }, native], fee: 3000 })
  await deployment.allowRouters(solver, [dollar])
  adapter = deployment.adapter({ options: { swap: uniswap.options(swapRouter), startBlock: 0 } })
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter.stop()
  await deployment.chain.close()
})

const bestOffer = async (from: string, to: string, amount: bigint): Promise<SwapOffer> => {
  const found = await adapter.swaps?.offers([{ kind: 'exact-input', from, to, amount }], { maxHops: 3 })
  const [best] = found?.[0] ?? []
  if (best === undefined) throw new Error('No offer')
  return best
}

const orderOf = (offer: SwapOffer) => ({
  offer,
  minimumOut: (offer.amountOut * 99n) / 100n,
  deadline: Math.floor(Date.now() / 1000) + 3600,
})

const asTransaction = (data: Json): SentTransaction => {
  const { to, data: input, value } = data as { to: string; data: `0x${string}`; value: string }
  return { to, data: input, value: BigInt(value) }
}

test.each([
  ['native currency into a token', () => [ZERO_ADDRESS, dollar, WHOLE] as const],
  ['a token into native currency', () => [other, ZERO_ADDRESS, WHOLE] as const],
  ['a token into another', () => [dollar, other, 100n * DOLLAR] as const],
])('a deposit swaps %s on Uniswap for what was offered, at about the estimated gas', async (_, trade) => {
  const [from, to, amount] = trade()
  const offer = await bestOffer(from, to, amount)
  const request: DepositRequest = {
    from: user.address,
    money: { currency: to, amount: offer.amountOut },
    orderId: ORDER_ID,
    explicitDeposit: true,
    originSwap: orderOf(offer),
  }
  let id = ''
  let used = 0n
  for (const { data } of await adapter.buildDeposit(request)) {
    const receipt = await sendMined(deployment.chain, user, asTransaction(data))
    id = receipt.transactionHash
    used = BigInt(receipt.gasUsed)
  }
  const [evidence] = await adapter.recheckDeposits([{ tx: { id }, position: 0 }])
  expect(evidence?.deposit).toMatchObject({ orderId: ORDER_ID, depositor: user.address, money: request.money })
  const plain = { ...request, money: { currency: ZERO_ADDRESS, amount: 1n } }
  const { originSwap: _swap, ...native } = plain
  const [estimate, unit] = await Promise.all([adapter.estimateDepositFee(request), adapter.estimateDepositFee(native)])
  // A native deposit is estimated at 45 000 gas.
  const gas = (estimate.network.amount * 45_000n) / unit.network.amount
  expect(gas).toBeGreaterThan(used)
  expect(gas).toBeLessThan(used * 2n)
})

test.each([
  ['native currency', () => ZERO_ADDRESS],
  ['another token', () => other],
])('a payout in the solver’s token gives %s by a swap on Uniswap', async (_, wanted) => {
  const offer = await bestOffer(dollar, wanted(), 100n * DOLLAR)
  const payout: Payout = {
    purpose: 'fill',
    orderId: ORDER_ID,
    from: solver.address,
    to: { address: `0x${'12'.repeat(20)}` },
    money: { currency: dollar, amount: 100n * DOLLAR },
    calls: [],
    swap: orderOf(offer),
  }
  const simulation = await adapter.simulate(payout)
  if (!simulation.ok) throw new Error(simulation.message)
  const guess = await adapter.estimatePayoutFee(payout)
  const exact = await adapter.estimatePayoutFee(payout, simulation)
  // Each block between the two may take an eighth off the price, or put it on.
  expect(guess.network.amount).toBeGreaterThan((exact.network.amount * 7n) / 10n)
  expect(guess.network.amount).toBeLessThan(exact.network.amount * 2n)
})
