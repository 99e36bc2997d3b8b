import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import {
  type HostProcess,
  type HostProcessOptions,
  hostNetworkOf,
  startHostProcess,
} from '../harness/host/hostProcess.js'
import { runOperator } from '../harness/host/operatorCommand.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { type LocalNetwork, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, nativeTransfer } from '../harness/transfer.js'
import { until } from '../harness/until.js'

let network: LocalNetwork
let database: TestDatabase
let proxy: FaultProxy
let options: HostProcessOptions
let host: HostProcess

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [] })
  const [{ chain }] = network.chains
  proxy = await startFaultProxy(chain.rpcUrl)
  const configured = hostNetworkOf({ network, rpc: { [chain.chainId]: [{ http: proxy.url }] } })
  // The watcher itself reads no block again while the test runs.
  const chains = configured.chains.map((each) => ({ ...each, options: { ...each.options, rescanMs: 3_600_000 } }))
  options = { network: { ...configured, chains }, databaseUrl: database.url }
  host = await startHostProcess(options)
})
afterAll(async () => {
  host?.signal('SIGKILL')
  await host?.ended
  await proxy?.close()
  await database?.drop()
  await network?.close()
})

const heightRead = async (): Promise<bigint> => {
  const { rows } = await database.pool.query<{ height: string }>(
    'select height::text as height from chain_cursors where chain_id = $1',
    [network.chains[0].chain.chainId],
  )
  return BigInt(rows[0]?.height ?? 0)
}

it('a deposit that a running host missed is found by "deposits rescan" and paid', async () => {
  const [{ chain, slug }] = network.chains
  const quote = await quoteOverHttp(host.url, nativeTransfer(network, 0))
  proxy.add('eth_getLogs', { rewrite: () => [] })
  await executeQuote(chain, userOf(network, 0), quote)
  const height = BigInt(await chain.rpc<string>('eth_blockNumber'))
  await chain.mine(10)
  await until('the watcher to pass the deposit', async () => ((await heightRead()) >= height + 8n ? true : null))
  proxy.clear()
  const stored = await database.pool.query('select from deposits')
  expect(stored.rows).toHaveLength(0)
  const range = ['--from', String(height - 3n), '--to', String(height + 3n)]
  const { code, output } = await runOperator(options, ['deposits', 'rescan', '--chain', slug, ...range])
  expect(output).toMatch(/Stored: 0x[0-9a-f]{64}, .*order 0x[\s\S]*hold 1 deposit; 1 of them was not stored/)
  expect(code).toBe(0)
  await until('the request to succeed', async () => {
    await chain.mine(1)
    const { body } = await callApi(host.url, `/intents/status/v3?requestId=${quote.requestId}`)
    return valueAt(body, 'status') === 'success' ? true : null
  })
})
