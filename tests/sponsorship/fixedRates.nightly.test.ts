import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, postQuote, tokenBody } from '../http/httpWorld.js'
import { amountAt, microUsdAt } from '../http/quoteAmounts.js'
import {
  execute,
  holdings,
  recordOf,
  type SponsoredIntegrator,
  sponsoredIntegrator,
  startSponsorWorld,
  statusOf,
} from './sponsorWorld.js'

let world: HttpWorld
let sponsor: SponsoredIntegrator
beforeAll(async () => {
  world = await startSponsorWorld({ quote: { stableSymbols: ['USDC', 'BUSD'] } })
  sponsor = await sponsoredIntegrator(world, 'guarantees rates', { user: 1, balance: 100_000_000n })
})
afterAll(() => world?.close())

/** A hundred dollars of the first chain for those of the second. */
const body = (more: Readonly<Record<string, unknown>> = {}) =>
  tokenBody(world, { amount: '100000000', subsidizeFees: true, fixedRate: '1:1', ...more })
const toBusd = (more: Readonly<Record<string, unknown>> = {}) =>
  body({ destinationCurrency: world.network.chains[1].blockable, ...more })

const quoted = async (asked: unknown): Promise<unknown> => {
  const answer = await postQuote(world, asked, '/quote', sponsor.apiKey)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

/** Lets the other dollar cost so much, and waits until quotes know. */
const setBusd = async (price: string): Promise<void> => {
  world.host.setPrices({ eth: '2000', usdc: '1', busd: price })
  await until('the price to be known', async () => {
    const answer = await quoted(toBusd())
    const usd = microUsdAt(answer, 'details.currencyOut.amountUsd')
    return usd === BigInt(Math.round(Number(price) * 1_000)) * 100_000n ? true : null
  })
}

/** Pays a quote; what the recipient got, and by how much the balance of the sponsor changed. */
const transferred = async (
  asked: (more: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  currency: string,
) => {
  const recipient = freshAddress()
  const answer = await quoted(asked({ recipient }))
  const before = (await holdings(world, sponsor.wallet)).app ?? 0n
  await execute(world, answer)
  expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
  const got = await balanceOnChain(world.network.chains[1], recipient, currency)
  await waitForQuiet(world.database.pool)
  const fees = amountAt(answer, 'fees.subsidized.amount')
  return { answer, got, before, fees }
}

describe('a rate that a sponsor guarantees (wire.md D.8)', () => {
  it('1:1 is the same number of units, and the answer says so', async () => {
    const answer = await quoted(body())
    expect(amountAt(answer, 'details.currencyOut.amount')).toBe(ether('100'))
    expect(valueAt(answer, 'details')).toMatchObject({
      isFixedRate: true,
      rate: '1',
      fixedRateFee: { usd: '0.000000' },
    })
    expect(await recordOf(world, answer)).toMatchObject({ features: ['fixed_rate'] })
  })

  it('1:1.0005 is 99.95 for 100, and an output asked for is derived by it', async () => {
    const answer = await quoted(body({ fixedRate: '1:1.0005' }))
    const output = (ether('100') * 10_000n) / 10_005n
    expect(amountAt(answer, 'details.currencyOut.amount')).toBe(output)
    expect(microUsdAt(answer, 'details.fixedRateFee.usd')).toBe(49_975n)
    for (const tradeType of ['EXPECTED_OUTPUT', 'EXACT_OUTPUT']) {
      const derived = await quoted(body({ fixedRate: '1:1.0005', tradeType, amount: ether('100').toString() }))
      expect(amountAt(derived, 'details.currencyIn.amount')).toBe(100_050_000n)
    }
  })

  it('at a worse market the sponsor pays the gap beside the fees, within its cap or not at all', async () => {
    const [, { blockable }] = world.network.chains
    await setBusd('1.002')
    const { answer, got, before, fees } = await transferred((more) => toBusd(more), blockable)
    expect(got).toBe(100_000_000n)
    expect(microUsdAt(answer, 'details.fixedRateFee.usd')).toBe(-200_000n)
    expect((await holdings(world, sponsor.wallet)).app).toBe(before - fees - 200_000n)
    const paid = { amount: (fees + 200_000n).toString(), chainId: world.network.chains[0].chain.chainId }
    expect(await recordOf(world, answer)).toMatchObject({
      data: { feeSponsorship: { actual: { sponsorPayment: paid, sponsoredTotal: { amount: fees.toString() } } } },
    })
    const refused = await postQuote(world, toBusd({ maxSubsidizationAmount: '200000' }), '/quote', sponsor.apiKey)
    expect([refused.status, valueAt(refused.body, 'errorCode')]).toEqual([400, 'INVALID_SUBSIDIZATION'])
    expect(textAt(refused.body, 'message')).toMatch(/^The fixed rate costs its sponsor /)
  })

  it('at a better market the sponsor pays the fees and earns the gap once all is settled', async () => {
    const [, { blockable }] = world.network.chains
    await setBusd('0.998')
    const { answer, got, before, fees } = await transferred((more) => toBusd(more), blockable)
    expect(got).toBe(100_000_000n)
    expect(microUsdAt(answer, 'details.fixedRateFee.usd')).toBe(200_000n)
    await until('the gain to be settled', async () => {
      const { app, earned } = await holdings(world, sponsor.wallet)
      return earned === undefined && app === before - fees + 200_000n ? true : null
    })
    expect(await recordOf(world, answer)).toMatchObject({
      data: {
        feeSponsorship: {
          actual: { sponsoredTotal: { amount: fees.toString() }, userPaysTotal: { amount: '0' } },
        },
      },
    })
    await setBusd('1')
  })

  it('pays a deposit of another amount by the rate as far as it was guaranteed, and the books agree with the chains', async () => {
    const [{ chain, usdc }, { usdc: other }] = world.network.chains
    const recipient = freshAddress()
    const answer = await quoted(body({ fixedRate: '1:0.999', recipient, amount: '1000000', explicitDeposit: false }))
    const before = (await holdings(world, sponsor.wallet)).app ?? 0n
    const data = textAt(answer, 'steps.0.items.0.data.data')
    // A transfer to the depository with the order behind it; the amount is the second word.
    const more = 50_000_000n.toString(16).padStart(64, '0')
    const changed = `${data.slice(0, 74)}${more}${data.slice(138)}`
    // CAST: calldata is hex.
    await receiptOf(chain, await chain.send(userOf(world.network, 0), { to: usdc, data: changed as `0x${string}` }))
    expect(await statusOf(world, answer)).toMatchObject({ status: 'success' })
    const got = await balanceOnChain(world.network.chains[1], recipient, other)
    // One dollar at the rate, 49 at the market less their own fees: those of the quote without the network cost.
    expect(got).toBeGreaterThan(ether('1.001'))
    expect(got).toBeLessThanOrEqual(ether('1.001001') + ether('49'))
    await waitForQuiet(world.database.pool)
    const sponsored = amountAt(answer, 'fees.subsidized.amount')
    const { app = 0n } = await holdings(world, sponsor.wallet)
    expect(before - app).toBe(sponsored + 1_002n)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})
