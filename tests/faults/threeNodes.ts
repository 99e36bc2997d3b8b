import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { LASTING_DIFFERENCE_SQL } from '@causeway/core/money-path'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { depositNative } from '../harness/depositing.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const AMOUNT = ether('0.01')
export const BLOCK_SECONDS = 2
const NODES = ['first', 'second', 'third'] as const
export let network: LocalNetwork
export let database: TestDatabase
export let host: HostProcess

/** Of both chains, the preferred one first. */
export let proxies: readonly (readonly FaultProxy[])[]

export const quote = (user: number): Promise<QuoteAnswer> =>
  quoteOverHttp(host.url, {
    user: userOf(network, user),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount: AMOUNT,
    recipient: freshAddress(),
  })

export const pay = (user: number, { protocol }: QuoteAnswer): Promise<unknown> =>
  depositNative(network.chains[0], userOf(network, user), protocol.v2.orderId, AMOUNT)

const statusOf = async ({ requestId }: QuoteAnswer): Promise<string | undefined> => {
  const { rows } = await database.pool.query<{ status: string }>('select status from requests where id = $1', [
    Buffer.from(requestId.slice(2), 'hex'),
  ])
  return rows[0]?.status
}

export const filled = (answer: QuoteAnswer): Promise<true> =>
  until('the fill', async () => ((await statusOf(answer)) === 'success' ? true : null), 60_000)

/** Which node of a chain is read from now: the one whose calls grow the most. */
export const readFrom = async (chain: number): Promise<FaultProxy> => {
  const logs = () => (proxies[chain] ?? []).map(({ calls }) => calls.get('eth_getLogs') ?? 0)
  const before = logs()
  return until('a node to be read from', async () => {
    const grown = logs().findIndex((count, at) => count > (before[at] ?? 0))
    return proxies[chain]?.[grown] ?? null
  })
}

/** A balance of the solver on the first chain as it was read last, once it was. */
export const inventoryOf = (currency: string) =>
  until('the balance to be read', async () => {
    const { rows } = await database.pool.query<{ balance: string; height: string; ms: number; apart: string }>(
      `select balance::text as balance, height::text as height, extract(epoch from observed_at)::float8 * 1000 as ms,
         (${LASTING_DIFFERENCE_SQL})::text as apart
       from inventory i where chain_id = $1 and currency = $2`,
      [network.chains[0].chain.chainId, currency],
    )
    return rows[0] ?? null
  })

/** Starts a host over two chains with three nodes each, and stops it after the tests of a file. */
export const useThreeNodes = (): void => {
  beforeAll(async () => {
    network = await startLocalNetwork({ blockTimeSeconds: BLOCK_SECONDS })
    proxies = await Promise.all(
      network.chains.map(({ chain }) => Promise.all(NODES.map(() => startFaultProxy(chain.rpcUrl)))),
    )
    database = await createTestDatabase({ packages: [] })
    const rpc = network.chains.map(({ chain }, at) => {
      const nodes = NODES.map((provider, place) => ({ http: proxies[at]?.[place]?.url ?? '', provider }))
      return [chain.chainId, nodes] as const
    })
    host = await startHostProcess({ network, databaseUrl: database.url, rpc: Object.fromEntries(rpc) })
  })
  afterAll(async () => {
    host?.signal('SIGKILL')
    await host?.ended
    for (const proxy of proxies?.flat() ?? []) await proxy.close()
    await database?.drop()
    await network?.close()
  })
}
