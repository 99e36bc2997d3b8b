import { topupOrderId } from '@causeway/core/plugin'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { execute, startAppFeeWorld, statusOf } from './appFeeWorld.js'
import { type HttpWorld, nativeBody } from './httpWorld.js'
import { amountAt, microUsdAt } from './quoteAmounts.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startAppFeeWorld({}, { swaps: true })
})
afterAll(() => world?.close())

const first = () => world.network.chains[0]

const quoted = async (more: object): Promise<unknown> => {
  const body = nativeBody(world, { destinationChainId: first().chain.chainId, ...more })
  const { status, body: answer } = await callApi(world.host.url, '/quote', { body })
  expect([status, valueAt(answer, 'message')]).toEqual([200, undefined])
  return answer
}

/** What came to the depository for a wallet's balance. */
const depositedFor = async (wallet: string): Promise<unknown> => {
  const { rows } = await world.database.pool.query(
    `select currency, amount::text as amount, depositor from deposits where order_id = decode($1, 'hex') and state = 'included'`,
    [topupOrderId(wallet).slice(2)],
  )
  return rows
}

const appFeesOf = async (answer: unknown): Promise<unknown> => {
  const path = `/requests/v3?id=${textAt(answer, 'requestId')}`
  return until('the record', async () => {
    const { body } = await callApi(world.host.url, path, { apiKey: world.host.apiKey })
    const fees = valueAt(body, 'requests.0.data.appFees')
    return valueAt(body, 'requests.0.status') === 'success' ? fees : null
  })
}

const identities = (answer: unknown): void => {
  const usd = (path: string) => microUsdAt(answer, path)
  const part = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
  expect(part('app')).toBe(-usd('fees.app.amountUsd'))
  expect(part('swap') + part('execution') + part('relay') + part('app')).toBe(usd('details.totalImpact.usd'))
}

it('a swap that no solver fills deposits what is worth it for the balances, in the user’s own transaction (wire.md D.7)', async () => {
  const { usdc, depository } = first()
  const [worth, dust] = [freshAddress(), freshAddress()]
  const fees = [
    { recipient: worth, fee: '60' },
    { recipient: dust, fee: '1' },
    { recipient: worth, fee: '40' },
  ]
  const amount = 100_000_000n
  const answer = await quoted({ originCurrency: usdc, destinationCurrency: NATIVE, amount: `${amount}`, appFees: fees })
  expect(amountAt(answer, 'details.currencyIn.amount')).toBe(amount)
  expect(amountAt(answer, 'fees.app.amount')).toBe(1_000_000n)
  identities(answer)
  const before = await balanceOnChain(first(), depository, usdc)
  await execute(world, answer)
  expect(await statusOf(world, textAt(answer, 'requestId'))).toMatchObject({ status: 'success' })
  expect((await balanceOnChain(first(), depository, usdc)) - before).toBe(1_000_000n)
  const user = userOf(world.network, 0).address.toLowerCase()
  await until('the deposit to be seen', async () => ((await depositedFor(worth)) as unknown[])[0])
  expect(await depositedFor(worth)).toEqual([{ currency: usdc, amount: '1000000', depositor: user }])
  expect(await depositedFor(dust)).toEqual([])
  const share = (recipient: string, bps: string, units: string) => ({ recipient, bps, amount: units })
  await until('the record to tell', async () => {
    const told = valueAt(await appFeesOf(answer), 'actual')
    return Array.isArray(told) && told.length > 0 ? true : null
  })
  expect(await appFeesOf(answer)).toMatchObject({
    quoted: [share(worth, '60', '600000'), share(dust, '1', '10000'), share(worth, '40', '400000')],
    actual: [
      { ...share(worth, '60', '600000'), amountUsd: '0.600000' },
      { ...share(worth, '40', '400000'), amountUsd: '0.400000' },
    ],
  })
})

it('of an exact output the fee comes on top, in native currency too', async () => {
  const recipient = freshAddress()
  const [{ usdc }, wanted] = [first(), 50_000_000n]
  const answer = await quoted({
    originCurrency: NATIVE,
    destinationCurrency: usdc,
    amount: `${wanted}`,
    tradeType: 'EXACT_OUTPUT',
    appFees: [{ recipient, fee: '200' }],
  })
  const input = amountAt(answer, 'details.currencyIn.amount')
  const fee = amountAt(answer, 'fees.app.amount')
  expect(fee).toBe((input * 200n) / 10_000n)
  identities(answer)
  const to = userOf(world.network, 0).address
  const before = await balanceOnChain(first(), to, usdc)
  await execute(world, answer)
  await statusOf(world, textAt(answer, 'requestId'))
  expect((await balanceOnChain(first(), to, usdc)) - before).toBeGreaterThanOrEqual(wanted)
  await until('the deposit to be seen', async () => ((await depositedFor(recipient)) as unknown[])[0])
  expect(await depositedFor(recipient)).toMatchObject([{ currency: NATIVE, amount: fee.toString() }])
})

it('a send, a wrap and a currency that the solver does not hold bear none, without an error, and the record says so', async () => {
  const { unlisted = '' } = first()
  const appFees = [{ recipient: freshAddress(), fee: '100' }]
  const send = await quoted({
    destinationCurrency: NATIVE,
    recipient: freshAddress(),
    amount: `${ether('0.1')}`,
    appFees,
  })
  const swap = await quoted({
    originCurrency: unlisted,
    destinationCurrency: NATIVE,
    amount: `${ether('10')}`,
    appFees,
  })
  for (const answer of [send, swap]) {
    expect(amountAt(answer, 'fees.app.amount')).toBe(0n)
    identities(answer)
    await execute(world, answer)
    const hash = textAt(answer, 'requestId')
    expect(hash).toMatch(/^0x/)
  }
  await statusOf(world, textAt(swap, 'requestId'))
  expect(await appFeesOf(swap)).toMatchObject({
    quoted: [{ recipient: appFees[0]?.recipient, bps: '100', amount: ether('0.1').toString() }],
    actual: [],
  })
  expect(await depositedFor(appFees[0]?.recipient ?? '')).toEqual([])
})
