import { type FaultProxy, inventDeposit, omitLogs, startFaultProxy } from '@causeway/chain-evm/testing'
import { type Hex, ServiceError } from '@causeway/core'
import { coreMigrations, findProviderAlerts, type ProviderAlertKind } from '@causeway/core/host'
import { assignParked } from '@causeway/core/money-path'
import { withTransaction } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { depositNative } from '../harness/depositing.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** At $2000 for one ether: above it 0.5 ether, below it 0.01. */
const QUORUM = [{ aboveUsd: '100', agreeing: 2 }]
const LARGE = ether('0.5')
const SMALL = ether('0.01')
const TIMEOUT_MS = 1_000
const NODES = ['liar', 'second', 'third'] as const

let network: LocalNetwork
let origin: NetworkChain
let destination: NetworkChain
let database: TestDatabase
let deployment: Deployment
/** Of the origin chain, the one asked first first. */
let proxies: readonly FaultProxy[]

beforeAll(async () => {
  network = await startLocalNetwork({ blockTimeSeconds: 0.25 })
  ;[origin, destination] = network.chains
  proxies = await Promise.all(NODES.map(() => startFaultProxy(origin.chain.rpcUrl)))
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({
    network,
    databaseUrl: database.url,
    quorum: QUORUM,
    rpc: {
      [origin.chain.chainId]: proxies.map(({ url }, at) => ({ http: url, provider: NODES[at] ?? '' })),
      [destination.chain.chainId]: ['east', 'west'].map((provider) => ({ http: destination.chain.rpcUrl, provider })),
    },
    evm: { endpointCheckMs: 200, rpcTimeoutMs: TIMEOUT_MS, rescanMs: 1_000, pendingBlocks: 4 },
  })
})
afterEach(async () => {
  for (const proxy of proxies) proxy.clear()
  await until('the honest endpoints', async () =>
    healthOf().every(({ state, name }) => name === 'liar' || state === 'ok') ? true : null,
  )
})
afterAll(async () => {
  await deployment?.kill()
  for (const proxy of proxies ?? []) await proxy.close()
  await database?.drop()
  await network?.close()
})

const node = (at: number): FaultProxy => proxies[at] as FaultProxy

const askFor = (user: number, from: NetworkChain, to: NetworkChain, amount: bigint): Promise<QuoteAnswer> =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: from.chain.chainId,
    to: to.chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount,
    recipient: freshAddress(),
  })

/** Asks again while it is refused for the moment, as clients do: on a busy machine an honest node may be late. */
const quoteFrom = (...asked: Parameters<typeof askFor>): Promise<QuoteAnswer> =>
  until('a quote', () =>
    askFor(...asked).catch((error: unknown) => {
      if (ServiceError.is(error) && error.retryable) return null
      throw error
    }),
  )

const invent = (user: number, { protocol }: QuoteAnswer, amount: bigint, at = 0): Promise<Hex> => {
  const { orderId } = protocol.v2
  return inventDeposit(node(at), origin.chain, {
    depository: origin.depository,
    from: userOf(network, user).address,
    orderId,
    amount,
  })
}

const fillsOf = async ({ protocol }: QuoteAnswer): Promise<number> => {
  const paid = await paymentsByOrder(destination, network.roles.solver.address)
  return paid.get(protocol.v2.orderId)?.fills ?? 0
}

const openAlerts = async (kind: ProviderAlertKind) =>
  (await findProviderAlerts(deployment.pool, { chainId: origin.chain.chainId })).filter((alert) => alert.kind === kind)

const healthOf = () => deployment.chains.get(origin.chain.chainId).adapter.endpoints?.() ?? []

const statesToBe = (...expected: readonly string[]) =>
  until(`the endpoints to be ${expected.join(', ')}`, async () =>
    healthOf().every(({ state }, at) => state === expected[at]) ? true : null,
  )

/** Every request takes longer than anybody waits. */
const silence = (at: number): void => {
  for (const method of ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_gasPrice']) {
    node(at).add(method, { delayMs: 2 * TIMEOUT_MS })
  }
}

const nextActionOf = async ({ requestId }: QuoteAnswer) => {
  const { rows } = await deployment.pool.query<{ action: string; at: Date; attempts: number }>(
    'select next_action as action, next_action_at as at, attempts from requests where id = $1',
    [Buffer.from(requestId.slice(2), 'hex')],
  )
  return rows[0]
}

it('a deposit that every provider shows is filled above the limit', async () => {
  const quote = await quoteFrom(0, origin, destination, LARGE)
  await depositNative(origin, userOf(network, 0), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})

it('F05: a large deposit that the others deny is never filled; the alert stands, the request waits with a time', async () => {
  const quote = await quoteFrom(2, origin, destination, LARGE)
  const txId = await invent(2, quote, LARGE)
  const [alert] = await until('the alert', async () => {
    const found = await openAlerts('providers-disagree')
    return found.length > 0 ? found : null
  })
  expect(alert).toMatchObject({
    subject: `deposit ${txId} 0`,
    details: expect.stringMatching(/^shown by liar; denied by (second|third)/),
  })
  await statesToBe('distrusted', 'ok', 'ok')
  await until('several attempts', async () => ((await nextActionOf(quote))?.attempts ?? 0) >= 4 || null)
  expect(await nextActionOf(quote)).toMatchObject({ action: 'decide', at: expect.any(Date) })
  expect(await deployment.requests.findStatus(quote.requestId)).toMatchObject({ status: 'pending' })
  expect(await fillsOf(quote)).toBe(0)
  expect(await openAlerts('endpoint-distrusted')).toMatchObject([{ subject: 'liar' }])
})

it('the chain runs on without the liar', async () => {
  const quote = await quoteFrom(3, origin, destination, LARGE)
  await depositNative(origin, userOf(network, 3), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})

it('F06: with the honest providers away nothing is decided or quoted on the chain, and it resumes by itself', async () => {
  const waiting = await quoteFrom(4, origin, destination, LARGE)
  silence(1)
  silence(2)
  await statesToBe('distrusted', 'down', 'down')
  await depositNative(origin, userOf(network, 4), waiting.protocol.v2.orderId, LARGE)
  await expect(askFor(5, origin, destination, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(askFor(5, destination, origin, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await until('the alert', async () => ((await openAlerts('quorum-lost')).length > 0 ? true : null))
  expect(await fillsOf(waiting)).toBe(0)
  node(1).clear()
  node(2).clear()
  await waitForStatus(deployment.requests, waiting.requestId, ['success'])
  await until('the alert to be over', async () => ((await openAlerts('quorum-lost')).length === 0 ? true : null))
  await quoteFrom(5, origin, destination, SMALL)
})

it('F06: a node that begins to lie when the honest ones time out is not believed alone', async () => {
  const quote = await quoteFrom(4, origin, destination, LARGE)
  silence(1)
  await statesToBe('distrusted', 'down', 'ok')
  const txId = await invent(4, quote, LARGE, 2)
  await waitForStatus(deployment.requests, quote.requestId, ['pending'])
  await expect(askFor(5, origin, destination, SMALL)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await until('another attempt', async () => ((await nextActionOf(quote))?.attempts ?? 0) >= 2 || null)
  node(1).clear()
  await until('the alert', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.includes(txId)) ? true : null,
  )
  expect(await deployment.requests.findStatus(quote.requestId)).toMatchObject({ status: 'pending' })
  expect(await fillsOf(quote)).toBe(0)
})

it('F107: a deposit that the node read from never shows is found from another one', async () => {
  await statesToBe('distrusted', 'ok', 'ok')
  const quote = await quoteFrom(5, origin, destination, SMALL)
  const reader = await findReader()
  omitLogs(reader, () => true)
  await depositNative(origin, userOf(network, 5), quote.protocol.v2.orderId, SMALL)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await until('the alert', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.startsWith('logs of')) ? true : null,
  )
})

it('F05: a large payment is not final on one provider’s vote, and is once the others say so too', async () => {
  const quote = await quoteFrom(0, destination, origin, LARGE)
  await depositNative(destination, userOf(network, 0), quote.protocol.v2.orderId, LARGE)
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  for (const at of [1, 2]) silence(at)
  const fill = async () => {
    const { rows } = await deployment.pool.query<{ state: string; height: bigint }>(
      `select state, included_height as height from payouts where purpose = 'fill' and request_id = $1`,
      [Buffer.from(quote.requestId.slice(2), 'hex')],
    )
    return rows[0]
  }
  await until('blocks far beyond settlement', async () => {
    const [payment, tip] = [await fill(), BigInt(await origin.chain.rpc<string>('eth_blockNumber'))]
    return payment !== undefined && tip > payment.height + 10n ? true : null
  })
  expect(await fill()).toMatchObject({ state: 'included' })
  for (const proxy of proxies) proxy.clear()
  await until('the payment to be final', async () => ((await fill())?.state === 'final' ? true : null))
})

it('F05: a large stray deposit that an operator gives to a quote is confirmed as its transaction shows it', async () => {
  const quote = await quoteFrom(1, origin, destination, LARGE)
  const stray: Hex = `0x${'5e'.repeat(32)}`
  await depositNative(origin, userOf(network, 1), stray, LARGE)
  const depositId = await until('the deposit to be parked', async () => {
    const { rows } = await deployment.pool.query<{ id: string }>(
      'select id::text as id from deposits where order_id = $1 and parked_reason is not null',
      [Buffer.from(stray.slice(2), 'hex')],
    )
    return rows[0]?.id
  })
  await withTransaction(deployment.pool, (client) =>
    assignParked(client, { depositId, requestId: quote.requestId }, Date.now()),
  )
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
})

it('F05: below the limit one vote is enough, and never to take the money out of the depository', async () => {
  const quote = await quoteFrom(1, origin, destination, SMALL)
  const reader = await findReader()
  const txId = await invent(1, quote, SMALL, proxies.indexOf(reader))
  await waitForStatus(deployment.requests, quote.requestId, ['success'])
  await until('the other one to be asked', async () =>
    (await openAlerts('providers-disagree')).some(({ subject }) => subject.includes(txId)) ? true : null,
  )
  const { rows } = await deployment.pool.query(
    `select 1 from payouts p join deposits d on d.id = p.deposit_id where p.purpose = 'withdraw' and d.tx_id = $1`,
    [txId],
  )
  expect(rows).toEqual([])
})

/** The proxy that the watcher reads its pages from now: the first that is asked for logs ten times more. */
const findReader = (): Promise<FaultProxy> => {
  const logs = (proxy: FaultProxy) => proxy.calls.get('eth_getLogs') ?? 0
  const before = new Map(proxies.map((proxy) => [proxy, logs(proxy)]))
  return until('a reader', async () => proxies.find((proxy) => logs(proxy) >= (before.get(proxy) ?? 0) + 10))
}
