import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { environmentOf } from '@causeway/core'
import type { ChainConfig, Diagnosis } from '@causeway/core/chain'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { Keypair } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../address/addresses.js'
import { resolveOptions } from '../options.js'
import { svmProtocol } from '../rpc/protocol.js'
import { startRewritingNode } from '../rpc/rewritingNode.test.support.js'
import { type LocalSvmChain, startLocalSvm } from '../testing/node/localSvm.js'
import { diagnose } from './diagnose.js'

const depository = Keypair.generate().publicKey.toBase58()
const logger = pino({ level: 'silent' })

let chain: LocalSvmChain
let token: string

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 100 })
  token = await chain.createToken({ decimals: 6 })
})

afterAll(() => chain?.close())

interface Case {
  readonly genesisHash?: string
  readonly rpc?: ChainConfig['rpc']
  readonly token?: string
  readonly allocator?: string | null
  readonly program?: string
  readonly pool?: string
}

const run = async (options: Case = {}): Promise<readonly Diagnosis[]> => {
  const genesisHash = options.genesisHash ?? chain.genesisHash
  const endpoints = options.rpc ?? [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'one' }]
  const currency = { symbol: 'X', name: 'X', decimals: 6, groupId: 'x' }
  const config: ChainConfig = {
    id: 1,
    slug: 'solana',
    name: 'Solana',
    package: '@causeway/chain-svm',
    rpc: endpoints,
    currencies: [
      { ...currency, address: NATIVE },
      { ...currency, address: options.token ?? token },
    ],
    confirmations: { fill: 1, success: 1, settle: 32, settleSeconds: 0 },
    solver: depository,
    enabled: true,
    options: {},
  }
  const settings = resolveOptions(
    {
      depository,
      genesisHash,
      ...(options.program === undefined ? {} : { depositoryProgram: options.program }),
      ...(options.pool === undefined ? {} : { depositPoolKey: options.pool }),
    },
    1,
    environmentOf({}),
  )
  const rpc = new JsonRpcClient({ protocol: svmProtocol(genesisHash), endpoints, timeoutMs: 2000, logger })
  try {
    return await diagnose({ timeoutMs: 2000, allocator: options.allocator ?? null }, { rpc, config, settings })
  } finally {
    rpc.close()
  }
}

const faults = (found: readonly Diagnosis[]) => found.filter(({ state }) => state === 'fault').map(({ check }) => check)

test('all is well: every check says so, and nothing shows a URL', async () => {
  await chain.fund(depository, 10n ** 9n)
  const found = await run({ allocator: depository })
  expect(found.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(found.map(({ check }) => check)).toEqual([
    'rpc',
    'rpc head',
    'rpc history',
    'rpc websocket',
    'account',
    'allocator',
  ])
  expect(JSON.stringify(found)).not.toContain('127.0.0.1')
})

test('each planted fault is found and has a remedy', async () => {
  const other = Keypair.generate().publicKey.toBase58()
  const found = [
    { expected: ['rpc chain id'], of: await run({ genesisHash: other, rpc: [{ http: chain.rpcUrl }] }) },
    { expected: ['rpc'], of: await run({ rpc: [{ http: 'http://127.0.0.1:1' }] }) },
    { expected: ['rpc websocket'], of: await run({ rpc: [{ http: chain.rpcUrl, ws: 'ws://127.0.0.1:1' }] }) },
    { expected: ['allocator'], of: await run({ allocator: other }) },
    { expected: ['currency'], of: await run({ token: other }) },
    { expected: ['account'], of: await run({ program: other }) },
  ]
  for (const { expected, of } of found) {
    expect(faults(of)).toEqual(expected)
    expect(of.every(({ state, remedy }) => state === 'ok' || remedy !== undefined)).toBe(true)
  }
})

test('F165: each method that a node does not serve, and a limit of its batches, is told with its cost', async () => {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const asked = [JSON.parse(Buffer.concat(chunks).toString())].flat() as { id: number; method: string }[]
    const refuse = (code: number, message: string) =>
      asked.map(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }))
    const isMissing = asked.some(({ method }) => method === 'getRecentPrioritizationFees')
    const body =
      asked.length > 10
        ? refuse(-32600, 'batch too large')
        : isMissing
          ? refuse(-32601, 'Method not found')
          : await fetch(chain.rpcUrl, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: Buffer.concat(chunks),
            }).then((answer) => answer.json())
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(asked.length === 1 && Array.isArray(body) ? body[0] : body))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  try {
    const found = await run({ rpc: [{ http: `http://127.0.0.1:${port}`, ws: chain.wsUrl }], allocator: depository })
    const limits = found.filter(({ check }) => check === 'rpc limits')
    expect(limits.map(({ message, remedy }) => [message, remedy])).toEqual([
      ['does not serve getRecentPrioritizationFees', expect.stringContaining('gives no quotes')],
      ['takes at most 10 calls a request', expect.stringContaining('batches')],
    ])
  } finally {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  }
})

test('with deposit addresses, a node that does not give whole blocks is a fault', async () => {
  const node = await startRewritingNode(chain.rpcUrl)
  try {
    const rpc = [{ http: node.url, ws: chain.wsUrl }]
    expect(faults(await run({ rpc, pool: depository, allocator: depository }))).toEqual([])
    node.rewrite('getBlock', () => null)
    expect(faults(await run({ rpc, pool: depository, allocator: depository }))).toEqual(['rpc blocks'])
    expect(faults(await run({ rpc, allocator: depository }))).toEqual([])
  } finally {
    await node.close()
  }
})
