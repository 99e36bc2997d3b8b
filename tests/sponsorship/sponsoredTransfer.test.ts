import type { LocalAccount } from '@causeway/chain-evm/testing'
import { type Hex, larger } from '@causeway/core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, tokenBody } from '../http/httpWorld.js'
import { amountAt } from '../http/quoteAmounts.js'
import { execute, give, holdings, recordOf, sponsoredIntegrator, startSponsorWorld, statusOf } from './sponsorWorld.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startSponsorWorld({ 'deposit-address': {} })
})
afterAll(() => world?.close())

const quoted = async (apiKey: string, more: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const answer = await postQuote(world, tokenBody(world, more), '/quote', apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

/** Whose lanes are held, and how often they were taken. */
const leases = () => world.database.pool.query('select name, epoch from leases order by name')

const send = async (answer: unknown, at: number, user: LocalAccount): Promise<Hex> => {
  const [{ chain }] = world.network.chains
  const to = textAt(answer, `steps.${at}.items.0.data.to`)
  // CAST: calldata is hex.
  return chain.send(user, { to, data: textAt(answer, `steps.${at}.items.0.data.data`) as Hex, value: 0n })
}
const approve = async (answer: unknown, user: LocalAccount): Promise<unknown> =>
  receiptOf(world.network.chains[0].chain, await send(answer, 0, user))
const deposit = (answer: unknown, user: LocalAccount): Promise<Hex> => send(answer, 1, user)

const COMPONENTS = ['execution', 'swap', 'relay', 'app', 'rent']

describe('a transfer whose fees a sponsor pays (wire.md D.9)', () => {
  it('the user gets the full amount, the sponsor pays what was quoted, and the record tells both', async () => {
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'pays all', { user: 1, balance: 10_000_000n })
    const recipient = freshAddress()
    const answer = await quoted(apiKey, { recipient, subsidizeFees: true })
    expect(amountAt(answer, 'details.currencyOut.amount')).toBe(ether('25'))
    const sponsored = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    expect(sponsored).toBeGreaterThan(20_000n)
    expect(sponsored).toBe(amountAt(answer, 'fees.subsidized.amount'))
    expect(amountAt(answer, 'feeSponsorship.quoted.userPaysTotal.amount')).toBe(0n)
    expect(Object.keys(Object(valueAt(answer, 'feeSponsorship.quoted.components')))).toEqual(COMPONENTS)
    expect(await recordOf(world, answer)).toMatchObject({
      data: { feeSponsorship: { quoted: { sponsoredTotal: { amount: sponsored.toString() } }, actual: null } },
    })
    await execute(world, answer)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    expect(await balanceOnChain(world.network.chains[1], recipient, world.network.chains[1].usdc)).toBe(ether('25'))
    expect(await holdings(world, wallet)).toEqual({ app: 10_000_000n - sponsored })
    const [{ chain, usdc }] = world.network.chains
    const sponsorPayment = { amount: sponsored.toString(), address: usdc.toLowerCase(), chainId: chain.chainId }
    const total = { amount: sponsored.toString(), amountUsd: valueAt(answer, 'fees.subsidized.amountUsd') }
    expect(await recordOf(world, answer)).toMatchObject({
      data: {
        fees: { actual: { sponsored: { usd: total.amountUsd } } },
        feeSponsorship: {
          quoted: { maxSubsidizationAmount: null, sponsoredTotal: total },
          actual: {
            selectedComponents: ['execution', 'swap', 'platform', 'app'],
            components: { platform: { selected: true } },
            sponsoredTotal: total,
            userPaysTotal: { amount: '0' },
            sponsorPayment,
          },
          currency: { address: usdc.toLowerCase() },
        },
      },
    })
    expect(await recordOf(world, answer, 'v2')).toMatchObject({
      data: {
        subsidizedRequest: true,
        subsidizedFee: { origin: { amount: sponsored.toString() }, sponsor: sponsorPayment },
        feeSponsorship: { actual: { components: { relay: { selected: true } }, sponsorPayment } },
      },
    })
    const id = valueAt(answer, 'requestId')
    const data = await callApi(world.host.url, `/integrators/quote-data?requestId=${id}`, { apiKey })
    expect(valueAt(data.body, 'feeSponsorship')).toEqual(valueAt(answer, 'feeSponsorship'))
  })

  it('pays for the new order too of an address that gets another amount, as long as it can (wire.md E.3)', async () => {
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'pays at addresses', { user: 0, balance: 1_000_000n })
    const [{ chain, usdc }, { usdc: other }] = world.network.chains
    const [recipient, refundTo] = [freshAddress(), freshAddress()]
    const answer = await quoted(apiKey, { recipient, refundTo, useDepositAddress: true, subsidizeFees: true })
    const address = textAt(answer, 'steps.0.depositAddress')
    const pay = async (amount: bigint) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address as Hex, amount] })
      await receiptOf(chain, await chain.send(userOf(world.network, 0), { to: usdc, data }))
    }
    const held = async (at: 0 | 1, account: string, currency: string, amount: bigint) =>
      until(`${amount} to be there`, async () =>
        (await balanceOnChain(world.network.chains[at], account, currency)) === amount ? true : null,
      )
    await pay(50_000_000n)
    await held(1, recipient, other, ether('50'))
    const { app = 0n } = await holdings(world, wallet)
    expect(app).toBeLessThan(1_000_000n)
    // Next time there is too little left for anything: what comes goes back, less the cost of that.
    await give(world, wallet, 1n - app)
    await pay(40_000_000n)
    await until('the refund', async () =>
      (await balanceOnChain(world.network.chains[0], refundTo, usdc)) > 0n ? true : null,
    )
    const { rows } = await world.database.pool.query(
      `select fail_reason from requests where fail_reason is not null and deposit_address = $1`,
      [address],
    )
    expect(rows).toEqual([{ fail_reason: 'SPONSOR_BALANCE_TOO_LOW' }])
    expect(await holdings(world, wallet)).toEqual({ app: 1n })
  })

  it('is refunded where the balance is gone by then: SPONSOR_BALANCE_TOO_LOW (F69)', async () => {
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'runs dry', { user: 2, balance: 1_000_000n })
    const [recipient, refundTo] = [freshAddress(), freshAddress()]
    const answer = await quoted(apiKey, { recipient, refundTo, subsidizeFees: true })
    const needed = amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount')
    await give(world, wallet, needed - 1n - 1_000_000n)
    await execute(world, answer)
    expect(await statusOf(world, answer)).toMatchObject({ status: 'refund', failReason: 'SPONSOR_BALANCE_TOO_LOW' })
    expect(await holdings(world, wallet)).toEqual({ app: needed - 1n })
    expect(await balanceOnChain(world.network.chains[1], recipient, world.network.chains[1].usdc)).toBe(0n)
    expect(await recordOf(world, answer)).toMatchObject({ data: { feeSponsorship: { actual: null } } })
  })

  it('of two deposits in one block over a balance for one, one is filled and the other goes back; no lane starts again (F69)', async () => {
    const { apiKey, wallet } = await sponsoredIntegrator(world, 'has for one', { user: 3, balance: 1_000_000n })
    const users = [userOf(world.network, 4), userOf(world.network, 5)]
    const answers = await Promise.all(
      users.map(({ address: user }) => quoted(apiKey, { user, recipient: freshAddress(), subsidizeFees: true })),
    )
    const needed = answers.map((answer) => amountAt(answer, 'feeSponsorship.quoted.sponsoredTotal.amount'))
    const most = needed.reduce(larger)
    const { rows: before } = await leases()
    await give(world, wallet, most - 1_000_000n)
    const [{ chain }] = world.network.chains
    await Promise.all(users.map((user, at) => approve(answers[at], user)))
    await chain.setIntervalMining(0)
    await chain.setAutomine(false)
    const sent = await Promise.all(users.map((user, at) => deposit(answers[at], user)))
    await chain.mine()
    await chain.setAutomine(true)
    await chain.setIntervalMining(1)
    const receipts = await Promise.all(sent.map((hash) => receiptOf(chain, hash)))
    expect(receipts[0]?.blockNumber).toBe(receipts[1]?.blockNumber)
    const ends = await Promise.all(answers.map((answer) => statusOf(world, answer)))
    expect(ends.map((end) => valueAt(end, 'status')).sort()).toEqual(['refund', 'success'])
    const refunded = ends.find((end) => valueAt(end, 'status') === 'refund')
    expect(valueAt(refunded, 'failReason')).toBe('SPONSOR_BALANCE_TOO_LOW')
    const spent = needed[ends.findIndex((end) => valueAt(end, 'status') === 'success')] ?? 0n
    expect((await holdings(world, wallet)).app ?? 0n).toBe(most - spent)
    expect((await leases()).rows).toEqual(before)
  })

  it('leaves books that agree with both chains to the unit (architecture.md 6 Ledger)', async () => {
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})
