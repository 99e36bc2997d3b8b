import {
  depositAddressFactoryAbi,
  formerDepositAddressFactoryAbi,
  formerDepositAddressFactoryBytecode,
} from '@causeway/contracts-abi'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import { addressOf, capability, listed, payPlainly, sweepNow, sweepPayout } from './addressWorld.test.support.js'

let deployment: TestDeployment
let adapter: EvmAdapter
let user: LocalAccount
let fee: string
let blocking: string

beforeAll(async () => {
  deployment = await startTestDeployment(31_143)
  const { chain, token } = deployment
  user = chain.accounts[0] as LocalAccount
  fee = await chain.deployToken({ name: 'Fee', symbol: 'FEE', decimals: 6, kind: 'fee' })
  blocking = await chain.deployToken({ name: 'Blocking', symbol: 'BLK', decimals: 6, kind: 'blocking' })
  for (const currency of [fee, blocking]) await chain.fund(user.address, 10n ** 9n, currency)
  adapter = deployment.adapter({ currencies: listed(token, fee, blocking) })
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter?.stop()
  await deployment?.chain.close()
})

const paid = async (...money: readonly { readonly currency: string; readonly amount: bigint }[]) => {
  const address = addressOf(adapter, user.address)
  for (const item of money) await payPlainly(deployment.chain, user, address, item)
  return address
}

const sweepByStranger = (address: { readonly orderId: `0x${string}` }, tokens: readonly string[]) => {
  const args = [address.orderId, user.address, tokens.map((token) => getAddress(token))] as const
  const data = encodeFunctionData({ abi: depositAddressFactoryAbi, functionName: 'sweep', args })
  return sendMined(deployment.chain, deployment.chain.accounts[4] as LocalAccount, {
    to: deployment.depositAddressFactory,
    data,
  })
}

test('of a token that takes a fee what reached the depository counts', async () => {
  const address = await paid({ currency: fee, amount: 1_000n })
  const held = await capability(adapter).holdings([address], [fee])
  expect(held).toEqual([[{ currency: fee, amount: 990n }]])
  const { state } = await sweepNow(
    adapter,
    deployment,
    sweepPayout(deployment, address, { currency: fee, amount: 990n }),
  )
  expect(state).toMatchObject({ status: 'success', paid: 981n })
  expect(state.currencyFee).toBeUndefined()
})

test('a token that blocks the address stops its sweep in plain words, and is named, so that the rest goes without it', async () => {
  const [native, blocked] = [
    { currency: ZERO_ADDRESS, amount: 50n },
    { currency: blocking, amount: 60n },
  ]
  const address = await paid(native, blocked)
  const args = [getAddress(address.destination.address)] as const
  const data = encodeFunctionData({ abi: parseAbi(['function block(address)']), functionName: 'block', args })
  await sendMined(deployment.chain, user, { to: blocking, data })
  const both = sweepPayout(deployment, address, native, [ZERO_ADDRESS, blocking])
  const simulation = await adapter.simulate(both)
  expect(simulation).toMatchObject({ ok: false, kind: 'revert' })
  expect(simulation.ok ? '' : simulation.message).toContain(`Not to be taken along: ${blocking}.`)
  const { state } = await sweepNow(adapter, deployment, sweepPayout(deployment, address, native))
  expect(state).toMatchObject({ status: 'success', paid: 50n })
})

test('a receiver that a stranger deployed first takes nothing away: what comes later is swept by the lane', async () => {
  const address = await paid({ currency: ZERO_ADDRESS, amount: 5n })
  await sweepByStranger(address, [])
  const payout = sweepPayout(deployment, address, { currency: ZERO_ADDRESS, amount: 5n })
  expect(await adapter.simulate(payout)).toMatchObject({ ok: false, kind: 'revert' })
  await payPlainly(deployment.chain, user, address, { currency: ZERO_ADDRESS, amount: 6n })
  const { state } = await sweepNow(adapter, deployment, payout)
  expect(state).toMatchObject({ status: 'success', paid: 6n })
})

test('a sweep that a stranger was quicker than has paid nothing, and is dead once that is final', async () => {
  const money = { currency: deployment.token, amount: 70n }
  const address = await paid(money)
  await sweepByStranger(address, [deployment.token])
  const payout = sweepPayout(deployment, address, money)
  const { state, attempt } = await sweepNow(adapter, deployment, payout)
  expect(state).toMatchObject({ status: 'success', paid: 0n })
  const verdict = () => adapter.lane.payoutVerdict(attempt.guards, [attempt.txId], { agreeing: 1, payout })
  await expect
    .poll(async () => {
      await deployment.chain.mine()
      return verdict()
    })
    .toBe('dead')
})

test('currencies that come between simulation and block do not stop a sweep for want of gas', async () => {
  const { chain, token } = deployment
  const address = await paid({ currency: token, amount: 9n })
  const payout = sweepPayout(deployment, address, { currency: token, amount: 9n }, [token, fee, ZERO_ADDRESS])
  const simulation = await adapter.simulate(payout)
  await payPlainly(chain, user, address, { currency: fee, amount: 1_000n })
  await payPlainly(chain, user, address, { currency: ZERO_ADDRESS, amount: 4n })
  const early = { ...adapter, simulate: async () => simulation }
  const { state } = await sweepNow(early, deployment, payout)
  expect(state).toMatchObject({ status: 'success', paid: 9n })
  expect(await capability(adapter).holdings([address], [token, fee, ZERO_ADDRESS])).toEqual([[]])
})

test('what is no address of this factory, or goes elsewhere than into the depository, is not simulated', async () => {
  const address = await paid({ currency: ZERO_ADDRESS, amount: 5n })
  const payout = sweepPayout(deployment, address, { currency: ZERO_ADDRESS, amount: 5n })
  expect(await adapter.simulate({ ...payout, to: { address: user.address } })).toMatchObject({
    ok: false,
    message: expect.stringContaining('the depository alone'),
  })
  const foreign = { ...address, depositor: deployment.token }
  const other = { ...payout, sweep: { address: foreign, currencies: [ZERO_ADDRESS] } }
  expect(await adapter.simulate(other)).toMatchObject({
    ok: false,
    message: expect.stringContaining('another factory'),
  })
})

test('a lane that lost its journal reads what each sweep brought', async () => {
  const { lane } = adapter
  const from = deployment.chain.accounts[1]?.address ?? ''
  const before = await lane.read(from, null)
  const { height } = await adapter.tip()
  const address = await paid({ currency: fee, amount: 1_000n }, { currency: ZERO_ADDRESS, amount: 8n })
  const payout = sweepPayout(deployment, address, { currency: fee, amount: 1n }, [ZERO_ADDRESS, fee])
  await sweepNow(adapter, deployment, payout)
  const { unknown } = await lane.read(from, { position: before.position, sinceHeight: height })
  expect(unknown).toMatchObject([
    {
      orderId: address.orderId,
      purpose: 'sweep',
      to: deployment.depository,
      money: { currency: fee, amount: 981n },
      status: 'success',
    },
  ])
})

test('what a sweep is estimated to take is near what it takes', async () => {
  for (const currency of [ZERO_ADDRESS, deployment.token]) {
    const address = await paid({ currency, amount: 10n })
    const { network } = await capability(adapter).sweepFee(currency)
    const { state } = await sweepNow(adapter, deployment, sweepPayout(deployment, address, { currency, amount: 10n }))
    const error = Number((network.amount * 100n) / state.fee) - 100
    expect(Math.abs(error)).toBeLessThan(60)
  }
})

test('an address that a former factory made is swept after the factory was replaced', async () => {
  const { chain, depository, depositAddressFactory, token } = deployment
  const to = getAddress(depository)
  const former = await chain.deploy(formerDepositAddressFactoryAbi, formerDepositAddressFactoryBytecode, [to])
  const before = deployment.adapter({ currencies: listed(token), options: { depositAddressFactory: former } })
  const address = addressOf(before, user.address)
  const money = [
    { currency: ZERO_ADDRESS, amount: 5n },
    { currency: token, amount: 6n },
  ]
  for (const item of money) await payPlainly(chain, user, address, item)
  const options = { depositAddressFactory, formerDepositAddressFactories: [former] }
  const replaced = deployment.adapter({ currencies: listed(token), options })
  await replaced.start(new AbortController().signal)
  try {
    const [native = { currency: ZERO_ADDRESS, amount: 0n }] = money
    const payout = sweepPayout(deployment, address, native, [ZERO_ADDRESS, token])
    expect((await sweepNow(replaced, deployment, payout)).state).toMatchObject({ status: 'success', paid: 5n })
    expect(await capability(replaced).holdings([address], [ZERO_ADDRESS, token])).toEqual([[]])
    expect(await replaced.recipientStatus({ address: former })).toMatchObject({ canReceive: false })
  } finally {
    await replaced.stop()
  }
})
