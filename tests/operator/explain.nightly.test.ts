import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAt, textAt, valueAt } from '../harness/apiCall.js'
import { waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  nativeTransfer,
  type QuoteAnswer,
  quoteTransfer,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { openDesk } from './operatorDesk.js'

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url })
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const quote = (user: number, more: Readonly<Record<string, unknown>> = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, nativeTransfer(network, user, { amount: ether('0.2'), more }))

const kindsOf = (explanation: unknown): unknown[] =>
  listAt(explanation, 'timeline').map((entry) => valueAt(entry, 'kind'))

it('tells a success by any of its ids: what was promised, decided, sent and booked', async () => {
  const made = await quote(0)
  const deposit = await executeQuote(network.chains[0].chain, userOf(network, 0), made)
  const done = await waitForStatus(deployment.requests, made.requestId, ['success'])
  await waitForQuiet(deployment.pool)
  const desk = openDesk(deployment)
  const ids = [made.requestId, made.protocol.v2.orderId, deposit, done.txHashes[0] ?? '', userOf(network, 0).address]
  for (const id of [...ids, made.requestId.toUpperCase().replace('0X', '0x'), 'payout:1', 'deposit:1']) {
    const explanation = await desk.json('explain', [id])
    expect(listAt(explanation, 'requests'), id).toHaveLength(1)
    expect(textAt(explanation, 'requests.0.requestId'), id).toBe(made.requestId)
  }
  const explanation = valueAt(await desk.json('explain', [made.requestId]), 'requests.0')
  expect(explanation).toMatchObject({
    status: 'success',
    problems: [],
    next: [],
    quote: { in: { amount: ether('0.2').toString(), symbol: 'ETH' }, tradeType: 'EXACT_INPUT' },
    deposits: [{ txId: deposit, outcome: 'fill', state: 'included' }],
    ledger: { sumsToZero: true },
  })
  expect(listAt(explanation, 'payouts').map((payout) => valueAt(payout, 'purpose'))).toEqual(['fill', 'withdraw'])
  expect(valueAt(explanation, 'payouts.0')).toMatchObject({
    state: 'final',
    generations: [{ generation: 1, state: 'live', guards: [expect.stringContaining('nonce:')] }],
    attempts: [{ generation: 1, version: 1, state: 'included', txId: done.txHashes[0] }],
  })
  const kinds = kindsOf(explanation)
  const order = ['quoted', 'deposit', 'decision', 'payout', 'signed', 'broadcast', 'included']
  expect(order.map((kind) => kinds.indexOf(kind))).toEqual(
    [...order.map((kind) => kinds.indexOf(kind))].sort((a, b) => a - b),
  )
  const owed = listAt(explanation, 'ledger.totals').find((total) => valueAt(total, 'account') === 'owed')
  expect(owed).toMatchObject({ amount: '0', symbol: 'ETH' })
})

it('fits 100 columns and says the worst first', async () => {
  const made = await quote(1)
  await executeQuote(network.chains[0].chain, userOf(network, 1), made)
  await waitForStatus(deployment.requests, made.requestId, ['success'])
  const lines = await openDesk(deployment).run('explain', [made.requestId])
  expect(lines.filter((line) => line.length > 100)).toEqual([])
  expect(lines.join('\n')).toMatch(/REQUEST 0x[0-9a-f]{64}\n {2}status +SUCCESS\n/)
  expect(lines.join('\n')).toContain('0.2 ETH on harbor -> ')
})

it('tells a refund with the reason of its decision, and dust with its parent, its failure and what to do', async () => {
  const made = await quote(2)
  const stranger = userOf(network, 3)
  const amount = ether('0.05')
  await depositNative(network.chains[0], stranger, made.protocol.v2.orderId, amount)
  const dust = await depositNative(network.chains[0], stranger, made.protocol.v2.orderId, 1n)
  const desk = openDesk(deployment)
  const explanations = await until('both children to be finished', async () => {
    const found = listAt(await desk.json('explain', [made.protocol.v2.orderId]), 'requests')
    const statuses = found.map((explanation) => valueAt(explanation, 'status'))
    return statuses.includes('refund') && statuses.includes('failure') ? found : null
  })
  const [refund] = explanations.filter((explanation) => valueAt(explanation, 'status') === 'refund')
  expect(refund).toMatchObject({
    parent: { requestId: made.requestId, status: 'unpaid' },
    deposits: [{ outcome: 'refund', outcomeReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' }],
    payouts: [{ purpose: 'refund' }],
  })
  const failed = valueAt(await desk.json('explain', [dust]), 'requests.0')
  expect(failed).toMatchObject({ status: 'failure', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND', payouts: [] })
  expect(listAt(failed, 'problems')).toEqual([
    expect.stringContaining(`causeway refund ${textAt(failed, 'requestId')}`),
    expect.stringContaining('1 units of deposit'),
  ])
})

it('tells an unpaid quote and a parked deposit, and says what it looked for when it knows nothing', async () => {
  const made = await quote(4)
  const desk = openDesk(deployment)
  expect(await desk.json('explain', [made.requestId])).toMatchObject({
    meanings: ['id of an unpaid quote'],
    requests: [],
    unpaidQuotes: [{ requestId: made.requestId, orderId: made.protocol.v2.orderId }],
  })
  const stray = await depositNative(network.chains[0], userOf(network, 4), `0x${'77'.repeat(32)}`, 5_000n)
  const parked = await until('the deposit to be parked', async () => {
    const explanation = await desk.json('explain', [stray]).catch(() => null)
    return explanation === null ? null : valueAt(explanation, 'parkedDeposits.0')
  })
  expect(parked).toMatchObject({ deposit: { parkedReason: 'unknown order id' }, ledger: { sumsToZero: true } })
  await expect(desk.run('explain', [`0x${'99'.repeat(32)}`])).rejects.toThrow(
    /Nothing is known of .* looked for as a request id/,
  )
})

it('lists what an address has newest first, at most as many as asked', async () => {
  const recipient = freshAddress()
  for (const user of [0, 1]) {
    const made = await quote(user, { recipient })
    await executeQuote(network.chains[0].chain, userOf(network, user), made)
    await waitForStatus(deployment.requests, made.requestId, ['success'])
  }
  const explanation = await openDesk(deployment).json('explain', [recipient], { limit: '1' })
  expect(explanation).toMatchObject({
    meanings: ['recipient'],
    more: true,
    requests: [{ quote: { user: userOf(network, 1).address } }],
  })
})

it('says how late a next action is while nobody pays out', async () => {
  const made = await quote(5)
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, roles: ['watcher'] })
  await executeQuote(network.chains[0].chain, userOf(network, 5), made)
  await waitForStatus(deployment.requests, made.requestId, ['pending'])
  const desk = openDesk(deployment, { clock: { now: () => Date.now() + 200_000 } })
  const explanation = valueAt(await desk.json('explain', [made.requestId]), 'requests.0')
  expect(valueAt(explanation, 'next')).toMatchObject([{ of: 'request', action: 'decide', due: 'overdue by 3 min' }])
  expect(listAt(explanation, 'problems')).toEqual([expect.stringContaining('"decide" is overdue by 3 min')])
  expect((await desk.run('explain', [made.requestId])).join('\n')).toMatch(/next +request: decide overdue by 3 min/)
})
