import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import {
  askClaim,
  balancesOf,
  endOfClaim,
  postSignature,
  signStep,
  startAppFeeWorld,
  transferWith,
  waitForBalance,
} from './appFeeWorld.js'
import { type HttpWorld, postQuote, tokenBody } from './httpWorld.js'
import { amountAt, microUsdAt } from './quoteAmounts.js'

let world: HttpWorld
beforeAll(async () => {
  world = await startAppFeeWorld()
})
afterAll(() => world?.close())

const quoted = async (more: object): Promise<unknown> => {
  const { status, body } = await postQuote(world, tokenBody(world, { ...more }))
  expect([status, valueAt(body, 'message')]).toEqual([200, undefined])
  return body
}

const partnerAt = (at: number) => userOf(world.network, at)

describe('appFees in a quote (wire.md 1.2, D.3, D.7)', () => {
  it.each(['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'])(
    '%s: several are basis points of the input, and the identities hold (D.2 to D.4)',
    async (tradeType) => {
      const amount = tradeType === 'EXACT_INPUT' ? '25000000' : '25000000000000000000'
      const fees = [
        { recipient: freshAddress(), fee: '100' },
        { recipient: freshAddress().toUpperCase().replace('0X', '0x'), fee: '25' },
      ]
      const answer = await quoted({ tradeType, amount, appFees: fees })
      const input = amountAt(answer, 'details.currencyIn.amount')
      expect(amountAt(answer, 'fees.app.amount')).toBe((input * 125n) / 10_000n)
      const usd = (path: string) => microUsdAt(answer, path)
      const part = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
      const total = usd('details.totalImpact.usd')
      expect(part('app')).toBe(-usd('fees.app.amountUsd'))
      expect(usd('details.swapImpact.usd')).toBe(total + usd('fees.relayer.amountUsd') + usd('fees.app.amountUsd'))
      expect(part('swap') + part('execution') + part('relay') + part('app')).toBe(total)
    },
  )

  it('an exact output bears nearly all of the input', async () => {
    const appFees = [{ recipient: freshAddress(), fee: '9900' }]
    const answer = await quoted({ tradeType: 'EXACT_OUTPUT', amount: '25000000000000000000', appFees })
    expect(amountAt(answer, 'details.currencyIn.amount')).toBeGreaterThan(2_500_000_000n)
  })

  it.each([
    { name: 'no EVM address', fees: [{ recipient: 'So11111111111111111111111111111111111111112', fee: '1' }] },
    { name: 'no text', fees: [{ recipient: freshAddress(), fee: 5 }] },
    { name: 'too many', fees: Array.from({ length: 21 }, () => ({ recipient: freshAddress(), fee: '1' })) },
  ])('refuses $name', async ({ fees }) => {
    const { status, body } = await postQuote(world, tokenBody(world, { appFees: fees }))
    expect([status, valueAt(body, 'errorCode')]).toEqual([400, 'INVALID_REQUEST'])
  })

  it.each([
    { tradeType: 'EXACT_INPUT', amount: '25000000', refused: [400, 'AMOUNT_TOO_LOW'] },
    { tradeType: 'EXACT_OUTPUT', amount: '25000000000000000000', refused: null },
  ])('fees that leave nothing: AMOUNT_TOO_LOW of an input, and an answer for $tradeType', async (quote) => {
    const { tradeType, amount, refused } = quote
    const appFees = [{ recipient: freshAddress(), fee: '9999' }]
    const answer = await postQuote(world, tokenBody(world, { tradeType, amount, appFees }))
    expect(answer.status).toBeLessThan(500)
    if (refused !== null) expect([answer.status, valueAt(answer.body, 'errorCode')]).toEqual(refused)
  })
})

describe('from the fee to the claim (wire.md 4.12)', () => {
  it('what a fill earns is told, owed once settled, claimed with one signature, and paid once', async () => {
    const [first, second] = [partnerAt(1), partnerAt(2)]
    const quote = await transferWith(world, [
      { recipient: first.address, fee: '300' },
      { recipient: second.address.toLowerCase(), fee: '150' },
      { recipient: first.address, fee: '50' },
    ])
    const requestId = textAt(quote, 'requestId')
    const answer = await waitForBalance(world, first.address, 3_500_000n)
    expect(answer).toMatchObject({
      balances: [
        { currency: { symbol: 'USDC' }, amountFormatted: '3.5', amountUsd: '3.500000', minimumAmount: '1000000' },
      ],
      totalBalanceUsd: 3.5,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: 3.5,
    })
    await waitForBalance(world, second.address.toUpperCase().replace('0X', '0x'), 1_500_000n)

    const { body: found } = await callApi(world.host.url, `/requests/v3?id=${requestId}`, { apiKey: world.host.apiKey })
    const shares = [
      { recipient: first.address.toLowerCase(), bps: '300', amount: '3000000' },
      { recipient: second.address.toLowerCase(), bps: '150', amount: '1500000' },
      { recipient: first.address.toLowerCase(), bps: '50', amount: '500000' },
    ]
    expect(valueAt(found, 'requests.0')).toMatchObject({
      features: ['app_fees'],
      data: {
        appFees: { quoted: shares, actual: shares.map((share) => ({ ...share, amountUsd: expect.any(String) })) },
        fees: { quoted: { app: { usd: '-5.000000' } }, actual: { app: { usd: '-5.000000' } } },
      },
    })
    for (const [query, count] of [
      ['appFeesAmountUsdMin=5&appFeesAmountUsdMax=5', 1],
      ['appFeesAmountUsdMin=5.000001', 0],
    ] as const) {
      const { body } = await callApi(world.host.url, `/requests/v3?${query}`, { apiKey: world.host.apiKey })
      expect(listAt(body, 'requests')).toHaveLength(count)
    }

    const recipient = freshAddress()
    const asked = await askClaim(world, { wallet: first.address, recipient })
    expect([asked.status, valueAt(asked.body, 'steps.0.id'), valueAt(asked.body, 'steps.0.items.0.check')]).toEqual([
      200,
      'authorize',
      undefined,
    ])
    const claimId = textAt(asked.body, 'steps.0.requestId')
    expect(claimId).toMatch(/^0x[0-9a-f]{64}$/)
    const signature = await signStep(asked.body, first)
    const posted = await postSignature(world, asked.body, signature)
    expect([posted.status, Object.keys(posted.body as object)]).toEqual([200, ['message']])
    expect((await postSignature(world, asked.body, signature)).body).toEqual(posted.body)
    expect(
      (await postSignature(world, asked.body, signature, { path: '/execute/permit', body: { kind: 'request' } })).body,
    ).toEqual(posted.body)
    expect(await endOfClaim(world, first.address)).toMatchObject({
      claims: [
        {
          claimId,
          wallet: first.address.toLowerCase(),
          recipient,
          currency: { currency: { symbol: 'USDC' }, amount: expect.any(String) },
          txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          status: 'success',
          createdAt: expect.stringMatching(/Z$/),
        },
      ],
    })
    const [origin] = world.network.chains
    // All of it but what the network took.
    const paid = await balanceOnChain(origin, recipient, origin.usdc)
    expect([paid < 3_500_000n, paid > 3_000_000n]).toEqual([true, true])
    expect(listAt(await balancesOf(world, first.address), 'balances')).toEqual([])
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })

  it('in another currency it is paid at the checked price less the flat part, the conversion and the network cost', async () => {
    const partner = partnerAt(3)
    await transferWith(world, [{ recipient: partner.address, fee: '1000' }])
    await waitForBalance(world, partner.address, 10_000_000n)
    const recipient = freshAddress()
    const asked = await askClaim(world, {
      wallet: partner.address,
      at: 1,
      currency: NATIVE,
      recipient,
      amount: 4_000_000n,
    })
    expect(asked.status).toBe(200)
    await postSignature(world, asked.body, await signStep(asked.body, partner))
    await endOfClaim(world, partner.address)
    const [, destination] = world.network.chains
    const paid = await balanceOnChain(destination, recipient, NATIVE)
    // 4 dollars less 2 cents and 45 basis points, at 2,000 dollars, less a little for gas.
    const most = 1_981_000_000_000_000n
    expect(paid).toBeLessThan(most)
    expect(paid).toBeGreaterThan((most * 9n) / 10n)
    expect(textAt(await balancesOf(world, partner.address), 'balances.0.amount')).toBe('6000000')
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})
