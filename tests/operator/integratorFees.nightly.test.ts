import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import quotePlugin from '@causeway/plugin-quote'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { CALLER, type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type OperatorDesk, openDesk } from './operatorDesk.js'

/** Deep enough that the fill is not final before it has left its chain. */
const SETTLE = 60
const INTEGRATOR = CALLER.kind === 'integrator' ? CALLER.integratorId : ''

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment
let desk: OperatorDesk

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({
    packages: [
      { name: '@causeway/core', migrations: coreMigrations },
      { name: quotePlugin.name, migrations: quotePlugin.migrations ?? [] },
    ],
  })
  await database.pool.query(
    `insert into quote_rules (integrator_id, bucket, relay_fee_bps, integrator_fee_bps, integrator_fee_recipient, created_at)
     values ($1, 'any', 10, 30, '0x' || repeat('e7', 20), now())`,
    [INTEGRATOR],
  )
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
  desk = openDesk(deployment)
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const ends = () => {
  const [origin, destination] = network.chains
  return { origin, destination }
}

const owed = async (): Promise<unknown> => desk.json('ledger integrators')

const transfer = async (amount: bigint, paid = amount): Promise<Hex> => {
  const { origin, destination } = ends()
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(network, 0),
    from: origin.chain.chainId,
    to: destination.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount,
    recipient: freshAddress(),
  })
  if (paid === amount) await executeQuote(origin.chain, userOf(network, 0), quote)
  else await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, paid)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  return quote.requestId
}

/** Its part in the facts of the quote. */
const promised = async (requestId: Hex): Promise<bigint> => {
  const { rows } = await database.pool.query<{ fee: string }>(
    `select quoted::jsonb #>> '{platformFee,integratorFee,amount}' as fee from request_facts where request_id = decode($1, 'hex')`,
    [requestId.slice(2)],
  )
  return BigInt(rows[0]?.fee ?? '0')
}

const fillOf = async (requestId: Hex): Promise<Hex> => {
  const status = await deployment.requests.findStatus(requestId)
  // CAST: the hash of a transaction on an EVM chain.
  return (status?.txHashes[0] ?? '0x') as Hex
}

const everythingFinal = (): Promise<true> =>
  until('everything to be final', async () => {
    await Promise.all(network.chains.map(({ chain }) => chain.mine(SETTLE)))
    return waitForQuiet(deployment.pool, 1_000).catch(() => null)
  })

const soundBooks = async (): Promise<unknown> => {
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
  const report = await desk.json('ledger check')
  expect(report).toMatchObject({ ok: true, findings: [] })
  return report
}

it('a fill owes the integrator its part of the fee, in the books and once, through a reorg of the fill (wire.md D.1)', async () => {
  const { origin, destination } = ends()
  const requestId = await transfer(ether('1'))
  const fee = await promised(requestId)
  expect(fee).toBe((ether('1') * 30n) / 10_000n)
  const entry = (amount: bigint) => ({
    integratorId: INTEGRATOR,
    chainId: origin.chain.chainId,
    currency: NATIVE,
    amount: amount.toString(),
  })
  expect(await owed()).toMatchObject({ owed: [entry(fee)] })
  await reorgAway(destination, await fillOf(requestId))
  await until('the fill to be booked again', async () => {
    const { rows } = await database.pool.query(
      `select from payouts where purpose = 'fill' and inclusions = 2 and state in ('included', 'final')`,
    )
    return rows[0]
  })
  expect(await owed()).toMatchObject({ owed: [entry(fee)] })
  const totals = (await soundBooks()) as { totals: { account: string; amount: string; integratorId?: string }[] }
  const of = (account: string) => totals.totals.find((total) => total.account === account)
  expect(of('integrator')).toMatchObject({ integratorId: INTEGRATOR, amount: (-fee).toString() })
  // What the solver keeps is the rest.
  const kept = await database.pool.query<{ fees: string }>(`select fees::text from payouts where purpose = 'fill'`)
  expect(BigInt(of('fees')?.amount ?? '0')).toBe(fee - BigInt(kept.rows[0]?.fees ?? '0'))
})

it('of twice the deposit it is owed twice as much; what it is paid is booked against it, never more (wire.md D.6)', async () => {
  const { origin } = ends()
  const before = ((await owed()) as { owed: { amount: string }[] }).owed.reduce(
    (sum, { amount }) => sum + BigInt(amount),
    0n,
  )
  await transfer(ether('0.1'), ether('0.2'))
  const due = before + (ether('0.2') * 30n) / 10_000n
  expect(await owed()).toMatchObject({ owed: [{ amount: due.toString() }] })
  await everythingFinal()
  const pay = async (value: bigint) => {
    const tx = await origin.chain.send(network.roles.solver, { to: freshAddress(), data: '0x', value })
    await until('the payment', () => origin.chain.rpc<object | null>('eth_getTransactionReceipt', [tx]))
    return tx
  }
  const [tx, tooMuch] = [await pay(due), await pay(ether('1'))]
  const paying = (amount: string, by = tx) =>
    desk.run('inventory topup', [origin.slug, 'ETH', amount], { tx: by, out: true, integrator: INTEGRATOR, yes: true })
  await expect(paying('0.0035')).rejects.toThrow('took 0.0036 ETH out of the wallet')
  await expect(paying('1', tooMuch)).rejects.toThrow('has 0.0036 ETH coming there, not that much')
  await expect(
    desk.run('inventory topup', [origin.slug, 'ETH', '0.0036'], { tx, integrator: INTEGRATOR, yes: true }),
  ).rejects.toThrow('give --out too')
  await paying('0.0036')
  await expect(paying('0.0036')).rejects.toThrow('is booked already')
  expect(await owed()).toMatchObject({ owed: [] })
  expect(await desk.json('ledger check', [], { offline: true })).toMatchObject({ ok: true, findings: [] })
})
