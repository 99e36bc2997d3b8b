import { expect, it } from 'vitest'
import { textAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { appFeesOf, depositedFor, first, identities, quoted, useAppFeeSwaps, world } from './appFeeSwapWorld.js'
import { execute, statusOf } from './appFeeWorld.js'
import { amountAt } from './quoteAmounts.js'

useAppFeeSwaps()

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
