import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { afterAll, beforeAll } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { quoteOverHttp } from '../harness/httpTransfer.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { startTraceReceiver, type TraceReceiver } from './traceReceiver.js'

export const TOKEN = 'c0llector-t0ken-0123456789'
export const OF_API = ['quote', 'read market', 'build deposit', 'store quote']
export const OF_SOLVER = ['deposit seen', 'decide', 'sign', 'store', 'broadcast', 'included', 'final']
export const CALLER_TRACE = '12'.repeat(16)
export let network: LocalNetwork
export let database: TestDatabase
export let receiver: TraceReceiver
export let hosts: readonly HostProcess[] = []

export const start = (roles: readonly string[], config: Readonly<Record<string, unknown>> = {}): Promise<HostProcess> =>
  startHostProcess({ network, databaseUrl: database.url, roles, config })

export const stop = async (host: HostProcess): Promise<string> => {
  host.signal('SIGTERM')
  return host.ended
}

export const request = () => ({
  user: userOf(network, 0),
  from: network.chains[0].chain.chainId,
  to: network.chains[1].chain.chainId,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  amount: ether('0.01'),
})

export const apiUrl = (): string => hosts[0]?.url ?? ''

const succeed = async (url: string, requestId: string): Promise<void> => {
  await until('success', async () => {
    const { body } = await callApi(url, `/intents/status/v3?requestId=${requestId}`)
    return textAt(body, 'status') === 'success' ? true : null
  })
}

export const transfer = async (url: string): Promise<string> => {
  const quote = await quoteOverHttp(url, request())
  await executeQuote(network.chains[0].chain, userOf(network, 0), quote)
  await succeed(url, quote.requestId)
  return quote.requestId
}

/** Starts two hosts that send traces before the tests of a file, and stops them afterwards. */
export const useTracedHosts = (): void => {
  beforeAll(async () => {
    ;[network, database, receiver] = await Promise.all([
      startLocalNetwork(),
      createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }], poolSize: 4 }),
      startTraceReceiver(),
    ])
    const tracing = { endpoint: receiver.url, sampleRatio: 1, headers: { authorization: TOKEN } }
    hosts = [await start(['api'], { tracing }), await start(['watcher', 'solver'], { tracing })]
  })
  afterAll(async () => {
    await Promise.all(hosts.map(stop))
    await receiver?.close()
    await database?.drop()
    await network?.close()
  })
}
