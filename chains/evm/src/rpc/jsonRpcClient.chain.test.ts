import { ServiceError } from '@causeway/core'
import type { RpcEndpoint } from '@causeway/core/chain'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import { type LocalEvmChain, startLocalChain } from '../testing/node/localChain.js'
import { evmProtocol } from './evmProtocol.js'
import { isRangeError, isRevert, revertDataOf } from './rpcErrors.js'

const CHAIN_ID = 31_103
const SECRET = 'secret-api-key'

let chain: LocalEvmChain
let proxy: FaultProxy
const clients: JsonRpcClient[] = []

beforeAll(async () => {
  chain = await startLocalChain({ chainId: CHAIN_ID })
  proxy = await startFaultProxy(chain.rpcUrl)
})

afterEach(() => proxy.clear())

afterAll(async () => {
  for (const client of clients) client.close()
  await proxy.close()
  await chain.close()
})

const clientOf = (endpoints: readonly RpcEndpoint[], chainId = CHAIN_ID, onRpcCall?: (method: string) => void) => {
  const client = new JsonRpcClient({
    protocol: evmProtocol(chainId),
    endpoints,
    timeoutMs: 2_000,
    logger: pino({ level: 'silent' }),
    onRpcCall,
  })
  clients.push(client)
  return client
}

const failureOf = async (promise: Promise<unknown>): Promise<ServiceError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!ServiceError.is(error)) throw new Error('Expected a ServiceError')
  return error
}

test('several calls go out in one HTTP request and each is counted', async () => {
  const methods: string[] = []
  const client = clientOf([{ http: proxy.url }], CHAIN_ID, (method) => methods.push(method))
  await client.call('eth_blockNumber', [])
  const before = proxy.requests()
  methods.length = 0
  const [chainId, block] = await client.results([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  expect(Number(chainId)).toBe(CHAIN_ID)
  expect(block).toMatchObject({ number: expect.any(String) })
  expect(proxy.requests() - before).toBe(1)
  expect(methods).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
})

test('wire.md K.1 8: time-outs and failures have their codes and never show the URL', async () => {
  const slow = clientOf([{ http: `${proxy.url}/${SECRET}` }])
  await slow.call('eth_chainId', [])
  proxy.add('eth_blockNumber', { delayMs: 8_000, times: 1 })
  const timedOut = await failureOf(slow.call('eth_blockNumber', []))
  expect(timedOut.code).toBe('REQUEST_TIMED_OUT')
  proxy.add('eth_blockNumber', { httpStatus: 500 })
  const broken = await failureOf(slow.call('eth_blockNumber', []))
  expect(broken.code).toBe('RPC_HTTP_ERROR')
  const nobody = await failureOf(clientOf([{ http: `http://127.0.0.1:9/${SECRET}` }]).call('eth_chainId', []))
  expect(nobody.code).toBe('RPC_HTTP_ERROR')
  for (const error of [timedOut, broken, nobody]) expect(`${error.message}${error.cause}`).not.toContain(SECRET)
})

test('a failing endpoint is passed over and comes back after a rest', async () => {
  const client = clientOf([{ http: proxy.url }, { http: chain.rpcUrl }])
  await client.call('eth_chainId', [])
  proxy.add('eth_blockNumber', { drop: true, times: 2 })
  expect(await client.call('eth_blockNumber', [])).toMatch(/^0x/)
  const before = proxy.requests()
  await client.call('eth_blockNumber', [])
  expect(proxy.requests()).toBe(before)
  await expect.poll(() => client.endpoints[0]?.rested).toBe(true)
})

test('a rate-limited endpoint is passed over', async () => {
  const client = clientOf([{ http: proxy.url }, { http: chain.rpcUrl }])
  await client.call('eth_chainId', [])
  proxy.failNext('eth_blockNumber', { code: 429, message: 'Too Many Requests' })
  expect(await client.call('eth_blockNumber', [])).toMatch(/^0x/)
})

test('an endpoint of another chain is never used', async () => {
  const error = await failureOf(clientOf([{ http: chain.rpcUrl }], 1).call('eth_blockNumber', []))
  expect(error.code).toBe('SERVICE_UNAVAILABLE')
})

test('revert data is found wherever a client puts it', () => {
  const data = '0x08c379a0'
  expect(revertDataOf({ code: 3, message: 'execution reverted', data })).toBe(data)
  expect(revertDataOf({ code: -32015, message: 'VM execution error.', data: `Reverted ${data}` })).toBe(data)
  expect(revertDataOf({ code: -32603, message: 'reverted', data: { originalError: { data } } })).toBe(data)
  expect(revertDataOf({ code: 3, message: 'execution reverted' })).toBeNull()
  expect(isRevert({ code: 3, message: '' })).toBe(true)
  expect(isRevert({ code: -32000, message: 'header not found' })).toBe(false)
})

test('F107: refusals of a log range are told from other errors', () => {
  const refusals = [
    'query returned more than 10000 results',
    'block range is too wide',
    'exceed maximum block range: 5000',
    'Log response size exceeded',
    'eth_getLogs is limited to a 10,000 range',
  ]
  for (const message of refusals) expect(isRangeError({ code: -32000, message }), message).toBe(true)
  expect(isRangeError({ code: -32000, message: 'invalid argument 0' })).toBe(false)
})
