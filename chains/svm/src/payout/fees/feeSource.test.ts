import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { JsonRpcClient } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { FeeSource } from './feeSource.js'
import { priorityFee } from './networkFees.js'

let server: Server | null = null
const asked: string[] = []

afterEach(() => {
  server?.close()
  asked.length = 0
})

interface RpcRequest {
  readonly id: number
  readonly method: string
}

/** A node that has seen the given prices of computation. */
const feesOf = async (prices: readonly number[], least = 0n, most = 1_000_000n): Promise<FeeSource> => {
  const recent = prices.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: RpcRequest | RpcRequest[] = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const answers = [body].flat().map(({ id, method }) => {
        asked.push(method)
        return { jsonrpc: '2.0', id, result: method === 'getRecentPrioritizationFees' ? recent : 890_880 }
      })
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  // CAST: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const rpc = new JsonRpcClient({
    protocol: { identify: { method: 'getGenesisHash', params: [], matches: () => true }, unrepeatable: new Set() },
    endpoints: [{ http: `http://127.0.0.1:${port}` }],
    timeoutMs: 1000,
    logger: pino({ level: 'silent' }),
  })
  return new FeeSource({ rpc, settings: { minPriorityMicroLamports: least, maxPriorityMicroLamports: most } })
}

describe('the price of computation', () => {
  test('is what three in four lately paid at most', async () => {
    expect(await (await feesOf([0, 0, 30, 10, 20, 40, 0, 0])).price(['a'])).toBe(20n)
    expect(await (await feesOf([5])).price(['a'])).toBe(5n)
    expect(await (await feesOf([])).price(['a'])).toBe(0n)
  })

  test('stays within what the operator allows', async () => {
    expect(await (await feesOf([1], 100n)).price(['a'])).toBe(100n)
    expect(await (await feesOf([9_999], 0n, 500n)).price(['a'])).toBe(500n)
  })

  test('is asked once by all who wait, and remembered; rent likewise', async () => {
    const fees = await feesOf([7])
    await Promise.all([fees.price(['a']), fees.price(['a']), fees.rent(0), fees.rent(0)])
    await fees.price(['a'])
    expect(await fees.rent(0)).toBe(890_880n)
    const calls = asked.filter((method) => method !== 'getGenesisHash')
    expect(calls.length).toBeLessThanOrEqual(2)
  })

  test('is rounded up, as the chain does', () => {
    expect(priorityFee(1n, 1n)).toBe(1n)
    expect(priorityFee(200_000n, 5n)).toBe(1n)
    expect(priorityFee(200_001n, 5n)).toBe(2n)
    expect(priorityFee(200_000n, 0n)).toBe(0n)
  })
})
