import { expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import { attemptsOf, control, heldFill, LIFETIME, network, useHeldPayouts, world } from './heldPayouts.js'
import { XRP_ID } from './xrpNetwork.js'
import { paymentsOf } from './xrpWorld.js'

useHeldPayouts()

it('a payment whose last ledger passed while a server kept it back is made anew, and once (faults.md F122)', async () => {
  const recipient = await network.newAccount(0n)
  const quote = await heldFill(recipient.address)
  await control('advance', LIFETIME)
  await control('release', true)
  await world.client.waitFor(quote.requestId, ['success'])
  const { paid } = await paymentsOf(network, quote.protocol.v2.orderId)
  expect(paid).toHaveLength(1)
  const attempts = await attemptsOf(quote)
  expect(attempts.filter(({ purpose }) => purpose === 'fill').at(-1)).toMatchObject({ tx_id: paid[0]?.hash })
  expect(new Set(attempts.map(({ generation }) => generation)).size).toBeGreaterThan(1)
  expect(await world.client.balance(XRP_ID, recipient.address, 'XRP')).toBe(BigInt(quote.details.currencyOut.amount))
})

it('the books agree with both chains, fees of what failed included', async () => {
  await waitForQuiet(world.pool)
  const { code, output } = await world.command('ledger', 'check')
  expect(output).toContain('rules hold')
  expect(code).toBe(0)
  expect(await findWalletDifferences(world.pool)).toEqual([])
})
