import { type FaultProxy, inventDeposit, startFaultProxy } from '@causeway/chain-evm/testing'
import { type Hex, ServiceError } from '@causeway/core'
import { coreMigrations, findProviderAlerts, type ProviderAlertKind } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { paymentsByOrder } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import {
  ether,
  type LocalNetwork,
  NATIVE,
  type NetworkChain,
  startLocalNetwork,
  userOf,
} from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer, quoteTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

/** At $2000 for one ether: above it 0.5 ether, below it 0.01. */
const QUORUM = [{ aboveUsd: '100', agreeing: 2 }]
export const LARGE = ether('0.5')
export const SMALL = ether('0.01')
const TIMEOUT_MS = 1_000
const NODES = ['liar', 'second', 'third'] as const
export let network: LocalNetwork
export let origin: NetworkChain
export let destination: NetworkChain
let database: TestDatabase
export let deployment: Deployment

/** Of the origin chain, the one asked first first. */
export let proxies: readonly FaultProxy[]
export const node = (at: number): FaultProxy => proxies[at] as FaultProxy

export const askFor = (user: number, from: NetworkChain, to: NetworkChain, amount: bigint): Promise<QuoteAnswer> =>
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
export const quoteFrom = (...asked: Parameters<typeof askFor>): Promise<QuoteAnswer> =>
  until('a quote', () =>
    askFor(...asked).catch((error: unknown) => {
      if (ServiceError.is(error) && error.retryable) return null
      throw error
    }),
  )

export const invent = (user: number, { protocol }: QuoteAnswer, amount: bigint, at = 0): Promise<Hex> => {
  const { orderId } = protocol.v2
  return inventDeposit(node(at), origin.chain, {
    depository: origin.depository,
    from: userOf(network, user).address,
    orderId,
    amount,
  })
}

export const fillsOf = async ({ protocol }: QuoteAnswer): Promise<number> => {
  const paid = await paymentsByOrder(destination, network.roles.solver.address)
  return paid.get(protocol.v2.orderId)?.fills ?? 0
}

export const openAlerts = async (kind: ProviderAlertKind) =>
  (await findProviderAlerts(deployment.pool, { chainId: origin.chain.chainId })).filter((alert) => alert.kind === kind)

const healthOf = () => deployment.chains.get(origin.chain.chainId).adapter.endpoints?.() ?? []

export const statesToBe = (...expected: readonly string[]) =>
  until(`the endpoints to be ${expected.join(', ')}`, async () =>
    healthOf().every(({ state }, at) => state === expected[at]) ? true : null,
  )

/** Every request takes longer than anybody waits. */
export const silence = (at: number): void => {
  for (const method of ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_call', 'eth_gasPrice']) {
    node(at).add(method, { delayMs: 2 * TIMEOUT_MS })
  }
}

export const nextActionOf = async ({ requestId }: QuoteAnswer) => {
  const { rows } = await deployment.pool.query<{ action: string; at: Date; attempts: number }>(
    'select next_action as action, next_action_at as at, attempts from requests where id = $1',
    [Buffer.from(requestId.slice(2), 'hex')],
  )
  return rows[0]
}

/** The proxy that the watcher reads its pages from now: the first that is asked for logs ten times more. */
export const findReader = (): Promise<FaultProxy> => {
  const logs = (proxy: FaultProxy) => proxy.calls.get('eth_getLogs') ?? 0
  const before = new Map(proxies.map((proxy) => [proxy, logs(proxy)]))
  return until('a reader', async () => proxies.find((proxy) => logs(proxy) >= (before.get(proxy) ?? 0) + 10))
}

/** Has the first provider invent a large deposit: no fill, an alert, a request that waits, and the provider distrusted from then on. */
export const expectInventedDepositDenied = async (): Promise<void> => {
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
}

/** Starts a host whose origin chain has three providers, one of them dishonest, and stops it after the tests of a file. */
export const useLiar = (): void => {
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
}
