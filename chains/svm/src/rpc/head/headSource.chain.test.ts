import { HeadPace, JsonRpcClient } from '@causeway/core/chain-kit'
import { Keypair } from '@solana/web3.js'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transferNative } from '../../read/watch/reading.test.support.js'
import { type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from '../../testing/node/localSvm.js'
import { svmProtocol } from '../protocol.js'
import { HeadSource } from './headSource.js'

const PATIENCE = { timeout: 60_000, interval: 10 }
const logger = pino({ level: 'silent' })
const watched = Keypair.generate().publicKey.toBase58()
const opened: { stop(): void }[] = []

let chain: LocalSvmChain
let rpc: JsonRpcClient
let calls = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0, confirmedLag: 1, finalizedLag: 4 })
  const endpoints = [{ http: chain.rpcUrl }]
  const onRpcCall = () => {
    calls += 1
  }
  rpc = new JsonRpcClient({ protocol: svmProtocol(chain.genesisHash), endpoints, timeoutMs: 2000, logger, onRpcCall })
  await chain.advance(10)
})

afterAll(async () => {
  for (const heads of opened) heads.stop()
  rpc?.close()
  await chain?.close()
})

const open = (options: {
  readonly ws?: string
  readonly pollIntervalMs?: number
  readonly maxHeadAgeSeconds?: number
}) => {
  const { ws, pollIntervalMs = 50, maxHeadAgeSeconds = 0 } = options
  const endpoints = [{ http: chain.rpcUrl, ...(ws === undefined ? {} : { ws }) }]
  const heads = new HeadSource({ rpc, endpoints, pollIntervalMs, maxHeadAgeSeconds, pace: new HeadPace(400), logger })
  opened.push(heads)
  return heads
}

test('the tip is the newest confirmed block, the final one is behind it, and both come in one request', async () => {
  const heads = open({})
  await heads.tip()
  const before = calls
  const tip = await heads.refresh()
  expect(calls - before).toBe(3)
  const finalized = await heads.finalized()
  expect(tip.height).toBe(BigInt(await chain.connection.getSlot('confirmed')))
  expect(tip.blockHeight).toBe(BigInt(await chain.connection.getBlockHeight('confirmed')))
  expect(finalized.slot).toBe(BigInt(await chain.connection.getSlot('finalized')))
  const blocks = await heads.blockOf([tip.height])
  expect(blocks.get(tip.height)).toMatchObject({ hash: tip.hash, time: tip.time })
})

test('a blockhash to build with is remembered for a while, and names the last height at which it is good', async () => {
  const heads = open({})
  const { blockhash, lastValidBlockHeight } = await heads.blockhash()
  const before = calls
  expect(await heads.blockhash()).toEqual({ blockhash, lastValidBlockHeight })
  expect(calls).toBe(before)
  expect(BigInt(lastValidBlockHeight)).toBe((heads.latest?.blockHeight ?? 0n) + 150n)
})

test('without a websocket, heads are polled', async () => {
  const heads = open({ pollIntervalMs: 20 })
  const seen: bigint[] = []
  heads.onHead(({ height }) => seen.push(height), new AbortController().signal)
  heads.start()
  await expect.poll(() => seen.length, PATIENCE).toBe(1)
  await chain.advance(3)
  await expect.poll(() => seen.length, PATIENCE).toBe(2)
  expect(seen[1]).toBe((seen[0] ?? 0n) + 3n)
})

test('with a websocket, a slot moves the head and a transaction of a watched address is a hint, long before a poll', async () => {
  const heads = open({ ws: chain.wsUrl, pollIntervalMs: 60_000 })
  heads.start([watched])
  await heads.tip()
  const before = heads.latest?.height ?? 0n
  // The subscription is up as soon as a slot of it arrives.
  await expect
    .poll(async () => {
      await chain.advance(1)
      return (heads.latest?.height ?? 0n) > before
    }, PATIENCE)
    .toBe(true)
  const hints = heads.hints
  const user = chain.accounts[0] as LocalSvmAccount
  await chain.send(user, [transferNative(user.address, watched, 10n ** 9n)], { wait: false })
  await expect
    .poll(async () => {
      await chain.advance(1)
      return heads.hints > hints
    }, PATIENCE)
    .toBe(true)
})

test('a chain that stands still for too long is not available', async () => {
  const heads = open({ maxHeadAgeSeconds: 1 })
  await expect
    .poll(() => heads.tip().catch((error: { code: string }) => error.code), PATIENCE)
    .toBe('SERVICE_UNAVAILABLE')
  await chain.advance(2)
  expect((await heads.refresh()).height).toBeGreaterThan(0n)
})
