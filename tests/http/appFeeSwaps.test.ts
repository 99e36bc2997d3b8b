import { expect, it } from 'vitest'
import { textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { appFeesOf, depositedFor, first, identities, quoted, useAppFeeSwaps, world } from './appFeeSwapWorld.js'
import { execute, statusOf } from './appFeeWorld.js'
import { amountAt } from './quoteAmounts.js'

useAppFeeSwaps()

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
