import type { Hex } from '@causeway/core'
import { coreMigrations } from '@causeway/core/host'
import { buildRecord, loadRecordFacts, type RecordJson, RecordSearch } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { reorgAway } from '../harness/reorgAway.js'
import { executeQuote, freshAddress, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { pageOf } from '../seed/pageShapes.js'

/** Deep enough that nothing is final before a test has made it leave its chain; what is to end has blocks made for it. */
const SETTLE = 60

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

beforeEach(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
})
afterEach(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const quoteOne = (recipient: string) =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, 0),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: ether('1'),
    recipient,
  })

const inTx = async (txId: string): Promise<{ status: string; reorg: string | null } | null> => {
  const { rows } = await deployment.pool.query<{ status: string; reorg: string | null }>(
    `select status, reorg from request_txs where direction = 'in' and tx_id = $1`,
    [txId],
  )
  return rows[0] ?? null
}

/** The record as `GET /requests/v3` shows it. */
const recordOf = async (id: Hex): Promise<RecordJson> => {
  const facts = (await loadRecordFacts(deployment.pool, [{ id, unpaid: false }])).get(id)
  if (facts === undefined) throw new Error(`There is no request ${id}`)
  const { currencies, chains } = deployment
  return buildRecord(facts, { currencies, chains, partnerKey: 'partner' })
}

const events = async (requestId: string): Promise<string[]> => {
  const { rows } = await deployment.pool.query<{ status: string }>(
    `select status from request_events where request_id = decode($1, 'hex') order by version`,
    [requestId.slice(2)],
  )
  return rows.map(({ status }) => status)
}

const everythingFinal = (): Promise<true> =>
  until('everything to be final', async () => {
    await Promise.all(network.chains.map(({ chain }) => chain.mine(SETTLE)))
    return waitForQuiet(deployment.pool, 1_000).catch(() => null)
  })

it('a fill reorged away is sent again, the same bytes, and the status stays success (K.2 3)', async () => {
  const recipient = freshAddress()
  const quote = await quoteOne(recipient)
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  const done = await waitForStatus(deployment.requests, quote.requestId, ['success'])
  // CAST: the hash of a transaction on this chain.
  await reorgAway(network.chains[1], (done.txHashes?.[0] ?? '0x') as Hex)
  const paid = await until('the fill to be on the chain again', async () => {
    const balance = await balanceOnChain(network.chains[1], recipient, NATIVE)
    return balance > 0n ? balance : null
  })
  expect(paid).toBe(BigInt(quote.details.currencyOut.amount))
  await everythingFinal()
  const after = await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(after.txHashes).toEqual(done.txHashes)
  expect((await events(quote.requestId)).filter((status) => status === 'success')).toHaveLength(1)
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('a deposit reorged away before its fill is signed returns the request to waiting with evidence, and a new deposit fills it (K.2 6)', async () => {
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE, roles: ['watcher'] })
  const recipient = freshAddress()
  const quote = await quoteOne(recipient)
  const lost = await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await reorgAway(network.chains[0], lost)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  const entry = await inTx(lost)
  expect(entry?.status).toBe('failure')
  expect(JSON.parse(entry?.reorg ?? '{}')).toMatchObject({
    detectedAt: expect.any(Number),
    source: expect.any(String),
    reason: expect.any(String),
  })
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await balanceOnChain(network.chains[1], recipient, NATIVE)).toBe(BigInt(quote.details.currencyOut.amount))
  expect(await events(quote.requestId)).toEqual(['pending', 'waiting', 'pending', 'submitted', 'success'])
})

it('F135: a deposit that is too little and is reorged away returns the quote’s id to waiting; one that is enough is filled', async () => {
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE, roles: ['watcher'] })
  const [origin] = network.chains
  const quote = await quoteOne(freshAddress())
  const lost = await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, ether('0.9'))
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await reorgAway(origin, lost)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
  await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, ether('1'))
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  expect(await events(quote.requestId)).toEqual(['pending', 'waiting', 'pending', 'submitted', 'success'])
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('a deposit reorged away after its fill shows the evidence, keeps the status and books the loss (K.2 6)', async () => {
  const quote = await quoteOne(freshAddress())
  const lost = await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await reorgAway(network.chains[0], lost)
  const entry = await until('the evidence', async () => {
    const found = await inTx(lost)
    return found?.status === 'failure' ? found : null
  })
  expect(JSON.parse(entry.reorg ?? '{}')).toMatchObject({ failReason: 'DEPOSIT_REORGED', action: 'fill' })
  const record = await recordOf(quote.requestId)
  expect(record.data.inTxs).toMatchObject([
    {
      txHash: lost,
      status: 'failure',
      metadata: { reorg: { detectedAt: expect.any(Number), source: expect.any(String), action: 'fill' } },
    },
  ])
  expect(record.data.route.actual.origin.inputCurrency?.amount).toBe(quote.details.currencyIn.amount)
  expect(record).toMatchObject({ status: 'success', protocol: { isWithdrawable: false } })
  expect((await deployment.requests.findStatus(quote.requestId))?.status).toBe('success')
  const { rows } = await deployment.pool.query<{ amount: string }>(
    `select sum(amount)::text as amount from ledger_entries where account = 'loss'`,
  )
  expect(rows[0]?.amount).toBe(ether('1').toString())
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('a deposit that comes back after another took its order becomes a request of its own and is refunded', async () => {
  const [origin] = network.chains
  const quote = await quoteOne(freshAddress())
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE, roles: ['watcher'] })
  const first = await executeQuote(origin.chain, userOf(network, 0), quote)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  const raw = await origin.chain.rpc<string>('eth_getRawTransactionByHash', [first])
  await reorgAway(origin, first)
  await waitForStatus(deployment.requests, quote.requestId, ['waiting'])
  await depositNative(origin, userOf(network, 5), quote.protocol.v2.orderId, ether('1'))
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await origin.chain.rpc('eth_sendRawTransaction', [raw])
  await deployment.kill()
  deployment = await startDeployment({ network, databaseUrl: database.url, settle: SETTLE })
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  const child = await until('the child request', async () => {
    const { rows } = await deployment.pool.query<{ id: string; status: string; fail_reason: string }>(
      `select '0x' || encode(id, 'hex') as id, status, fail_reason from requests where parent_request_id = decode($1, 'hex') and status = 'refund'`,
      [quote.requestId.slice(2)],
    )
    return rows[0]
  })
  expect(child.fail_reason).toBe('DOUBLE_SPEND')
  // Its transaction finds the child, and the first request no more.
  const search = new RecordSearch({ pool: deployment.pool })
  for (const field of ['term', 'hash', 'depositTxHash'] as const) {
    const { rows } = await search.page(pageOf([{ field, not: false, values: [first] }]))
    expect([field, rows.map(({ id }) => id)]).toEqual([field, [child.id]])
  }
  expect(await inTx(first)).toEqual({ status: 'success', reorg: null })
  await everythingFinal()
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})
