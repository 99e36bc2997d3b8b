import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, failOver, type TestDatabase } from '@causeway/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const TIMEOUT_MS = 240_000

let network: LocalNetwork
let database: TestDatabase
let proxies: readonly FaultProxy[]
let deployment: Deployment

beforeEach(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  proxies = await Promise.all(network.chains.map(({ chain }) => startFaultProxy(chain.rpcUrl)))
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await start()
})
afterEach(async () => {
  await deployment?.kill()
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await database?.drop()
  await network?.close()
})

const proxyOf = (at: 0 | 1): FaultProxy => {
  const proxy = proxies[at]
  if (proxy === undefined) throw new Error('No proxy')
  return proxy
}

const start = (): Promise<Deployment> =>
  startDeployment({
    network,
    databaseUrl: database.url,
    rpcUrls: Object.fromEntries(network.chains.map(({ chain }, at) => [chain.chainId, proxyOf(at === 0 ? 0 : 1).url])),
  })

const quoteOne = (user: number, more: object = {}): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, nativeTransfer(network, user, { more: { ...more } }))

const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

/** The payments of these orders reach no node; returns the bytes of those that were tried. */
const withhold = (at: 0 | 1, quotes: readonly QuoteAnswer[]): string[] => {
  const sent: string[] = []
  const ids = quotes.map(({ protocol }) => protocol.v2.orderId.slice(2))
  proxyOf(at).add('eth_sendRawTransaction', {
    when: ([raw]) => ids.some((id) => String(raw).includes(id)) && sent.push(String(raw)) > 0,
    error: { code: -32_000, message: 'transaction pool is full' },
  })
  return sent
}

const positionOf = async (at: 0 | 1): Promise<string> => {
  const { rows } = await database.pool.query<{ position: string }>('select position from lanes where chain_id = $1', [
    network.chains[at].chain.chainId,
  ])
  return rows[0]?.position ?? ''
}

/** What an asynchronous standby lacks: everything signed of an order, and where the lane went on. It is due again in so many seconds. */
const forgetPayment = async (at: 0 | 1, quote: QuoteAnswer, position: string, dueSeconds: number): Promise<void> => {
  const ids = `(select id from payouts where order_id = decode('${quote.protocol.v2.orderId.slice(2)}', 'hex'))`
  await database.pool.query(`delete from payout_attempts where payout_id in ${ids}`)
  await database.pool.query(`delete from payout_guards where payout_id in ${ids}`)
  await database.pool.query(`delete from payout_generations where payout_id in ${ids}`)
  await database.pool.query(
    // A payout that is to be signed is never put off for long; one that waits for the hourly limit may be.
    `update payouts set state = 'ready', generation = 0, next_action = 'await-limit', first_broadcast_at = null,
       next_action_at = now() + $1 * interval '1 second' where id in ${ids}`,
    [dueSeconds],
  )
  await database.pool.query('update lanes set position = $1 where chain_id = $2', [
    position,
    network.chains[at].chain.chainId,
  ])
}

const paid = async (at: 0 | 1, quote: QuoteAnswer): Promise<number> => {
  const orders = await paymentsByOrder(network.chains[at], network.roles.solver.address)
  return orders.get(quote.protocol.v2.orderId)?.fills ?? 0
}

it('F121: what spent the nonce of a fill was a lost payment of another order: it is found before anything follows, and not made again', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [lost, later] = [await quoteOne(0), await quoteOne(1)]
  const before = await positionOf(1)
  const sent = withhold(1, [lost, later])
  await deposit(0, lost)
  const raw = await until('the first fill to be sent', async () => sent[0])
  await deployment.kill()
  await forgetPayment(1, lost, before, 3_600)
  deployment = await start()
  // It takes the nonce that the lost one has.
  await deposit(1, later)
  await until('the second fill to be sent', async () =>
    sent.find((bytes) => bytes.includes(later.protocol.v2.orderId.slice(2))),
  )
  await network.chains[1].chain.rpc('eth_sendRawTransaction', [raw])
  await until('the lost fill to land', async () => ((await paid(1, lost)) === 1 ? true : null))
  proxyOf(1).clear()
  await waitForStatus(deployment.requests, later.requestId, ['success'], 90_000)
  await database.pool.query(`update payouts set next_action_at = now() where state = 'ready'`)
  await waitForStatus(deployment.requests, lost.requestId, ['success'], 90_000)
  await waitForQuiet(deployment.pool)
  expect([await paid(1, lost), await paid(1, later)]).toEqual([1, 1])
  expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
})

it('F121: after a failover nothing is paid of a transfer before the lanes of both its chains are read', {
  timeout: TIMEOUT_MS,
}, async () => {
  const refunded = await quoteOne(2, { referrer: 'debug-force-refund' })
  const before = await positionOf(0)
  const sent = withhold(0, [refunded])
  await deposit(2, refunded)
  await until('the refund to be sent', async () => sent[0])
  await deployment.kill()
  await forgetPayment(0, refunded, before, 0)
  await failOver(database.pool)
  proxyOf(0).clear()
  // The lane of the destination cannot be read now.
  proxyOf(1).add('eth_getTransactionCount', { error: { code: -32_000, message: 'busy' } })
  deployment = await start()
  await until('the lane of the origin to be read', async () => {
    const { rows } = await database.pool.query<{ read: boolean }>(
      `select history = server_history() and state = 'open' as read from lanes where chain_id = $1`,
      [network.chains[0].chain.chainId],
    )
    return rows[0]?.read === true ? true : null
  })
  const looks = await inventoryReadAt()
  await until('the open lane to have looked for work', async () => ((await inventoryReadAt()) > looks ? true : null))
  const { rows } = await database.pool.query(`select state from payouts where purpose = 'refund'`)
  expect([rows, await paid(0, refunded)]).toEqual([[{ state: 'ready' }], 0])
  proxyOf(1).clear()
  await waitForStatus(deployment.requests, refunded.requestId, ['refund'], 90_000)
  await waitForQuiet(deployment.pool)
  expect([await paid(0, refunded), await paid(1, refunded)]).toEqual([1, 0])
})

/** When the open lane of the origin last read what it owns: it looks for payouts more often. */
const inventoryReadAt = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ at: Date }>(
    'select max(observed_at) as at from inventory where chain_id = $1',
    [network.chains[0].chain.chainId],
  )
  return rows[0]?.at.getTime() ?? 0
}
