import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { startAppFeeWorld, waitForBalance } from '../http/appFeeWorld.js'
import { type HttpWorld, tokenBody } from '../http/httpWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startAppFeeWorld({ 'deposit-address': {} })
})
afterAll(() => world?.close())

it('payments to a deposit address bear the app fees of its quote, another amount than quoted too (wire.md D.7, E.3)', async () => {
  const [{ chain, usdc }] = world.network.chains
  const user = userOf(world.network, 0)
  const partner = freshAddress()
  const body = tokenBody(world, {
    ...{ amount: '100000000', useDepositAddress: true, refundTo: user.address },
    appFees: [{ recipient: partner, fee: '200' }],
  })
  const { status, body: answer } = await callApi(world.host.url, '/quote', { body })
  expect([status, textAt(answer, 'fees.app.amount')]).toEqual([200, '2000000'])
  // CAST: an EVM address.
  const address = textAt(answer, 'steps.0.depositAddress') as `0x${string}`
  const pay = async (amount: bigint) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] })
    await receiptOf(chain, await chain.send(user, { to: usdc, data }))
  }
  await pay(100_000_000n)
  await waitForBalance(world, partner, 2_000_000n)
  await pay(50_000_000n)
  await waitForBalance(world, partner, 3_000_000n)
  const requests = await until('both records', async () => {
    const path = `/requests/v3?depositAddress=${address}&includeChildRequests=true`
    const { body: found } = await callApi(world.host.url, path, { apiKey: world.host.apiKey })
    // CAST: the schema of the answer says so.
    const list = valueAt(found, 'requests') as readonly unknown[]
    return list.filter((item) => valueAt(item, 'status') === 'success').length === 2 ? list : null
  })
  const told = requests.map((item) => [valueAt(item, 'data.appFees.actual.0.amount'), valueAt(item, 'features')])
  expect(told.sort()).toEqual([
    ['1000000', ['app_fees', 'deposit_address']],
    ['2000000', ['app_fees', 'deposit_address']],
  ])
})
