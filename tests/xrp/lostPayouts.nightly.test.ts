import { expect, it } from 'vitest'
import { waitForQuiet } from '../harness/database/books.js'
import { findWalletDifferences } from '../harness/database/walletDifferences.js'
import {
  attemptsOf,
  control,
  DEPOSIT_AUTH,
  heldFill,
  idBytes,
  LIFETIME,
  network,
  useHeldPayouts,
  world,
} from './heldPayouts.js'
import { XRP_ID } from './xrpNetwork.js'
import { paymentsOf } from './xrpWorld.js'

useHeldPayouts()

it('a payment that the ledger only took its fee for (tecNO_PERMISSION) is booked, and the deposit goes back', async () => {
  const recipient = await network.newAccount()
  const before = await world.client.balance(XRP_ID, network.solver.address, 'XRP')
  const quote = await heldFill(recipient.address)
  await control('apply', [{ TransactionType: 'AccountSet', Account: recipient.address, SetFlag: DEPOSIT_AUTH }])
  await control('release', false)
  await world.client.waitFor(quote.requestId, ['refund'])
  const [fill] = (await attemptsOf(quote)).filter(({ purpose }) => purpose === 'fill')
  const { meta } = await network.node.validated(fill?.tx_id ?? '')
  expect(meta.TransactionResult).toBe('tecNO_PERMISSION')
  expect((await paymentsOf(network, quote.protocol.v2.orderId)).paid).toEqual([])
  const spent = before - (await world.client.balance(XRP_ID, network.solver.address, 'XRP'))
  expect(spent).toBeGreaterThan(0n)
  expect(spent).toBeLessThan(1_000n)
})

it('a payment whose number somebody else used (tefNO_TICKET) is made anew with another one, and once', async () => {
  const recipient = await network.newAccount(0n)
  const quote = await heldFill(recipient.address)
  const { rows } = await world.pool.query<{ guard_key: string }>(
    `select g.guard_key from payout_guards g join payouts p on p.id = g.payout_id
     where p.request_id = $1 and g.chain_id = $2`,
    [idBytes(quote), XRP_ID],
  )
  const [, account, number] = rows[0]?.guard_key.split(':') ?? []
  expect(account).toBe(network.solver.address)
  await control('release', true)
  const foreign = { TransactionType: 'AccountSet', Account: account, Sequence: 0, TicketSequence: Number(number) }
  await control('apply', [foreign])
  await world.client.waitFor(quote.requestId, ['success'])
  const { paid } = await paymentsOf(network, quote.protocol.v2.orderId)
  expect(paid).toHaveLength(1)
  expect((await attemptsOf(quote)).filter(({ purpose }) => purpose === 'fill')).toMatchObject([
    { generation: 1 },
    { generation: 2, tx_id: paid[0]?.hash },
  ])
})

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
