import type { Hex } from '@causeway/core'
import { Keypair } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  createReader,
  type Following,
  follow,
  memo,
  type Reader,
  transferNative,
} from '../read/watch/reading.test.support.js'
import { type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from '../testing/node/localSvm.js'
import { type RewritingNode, startRewritingNode } from './rewritingNode.test.support.js'

const PATIENCE = { timeout: 60_000, interval: 20 }
const SLOT_MS = 400
const NAMES = ['one', 'two', 'three'] as const
const depository = Keypair.generate().publicKey.toBase58()

let chain: LocalSvmChain
let user: LocalSvmAccount
let nodes: readonly RewritingNode[]
let reader: Reader
let following: Following
let orders = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: SLOT_MS, confirmedLag: 1, finalizedLag: 4 })
  user = chain.accounts[0] as LocalSvmAccount
  await chain.fund(depository, 10n ** 9n)
  nodes = await Promise.all(NAMES.map(() => startRewritingNode(chain.rpcUrl)))
  const endpoints = nodes.map(({ url }, at) => ({ http: url, provider: NAMES[at] ?? '' }))
  const { genesisHash } = chain
  reader = createReader({ genesisHash, endpoints, depository, accounts: [], options: { pollIntervalMs: 200 } })
  following = follow(reader, null)
})
afterEach(async () => {
  for (const node of nodes) node.clear()
  await expect.poll(states, PATIENCE).toEqual({ one: 'ok', two: 'ok', three: 'ok' })
})
afterAll(async () => {
  await following?.stop()
  reader?.close()
  for (const node of nodes ?? []) await node.close()
  await chain?.close()
})

const states = () => Object.fromEntries(reader.monitor.health().map(({ name, state }) => [name, state]))

/** The node answers all that deposits are read by as it was at its present slot. */
const freeze = async (at: number): Promise<void> => {
  const still = await chain.connection.getSlot('confirmed')
  const final = await chain.connection.getEpochInfo('finalized')
  const latest = await chain.connection.getLatestBlockhashAndContext('confirmed')
  const node = nodes[at]
  node?.rewrite('getSlot', () => still)
  node?.rewrite('getEpochInfo', () => final)
  node?.rewrite('getLatestBlockhash', () => latest)
  node?.rewrite('getBlock', (block, [slot]) => (Number(slot) > still ? null : block))
  node?.rewrite('getSignaturesForAddress', (listed) =>
    // CAST: an answered list of signatures is one.
    (listed as readonly { readonly slot: number }[]).filter(({ slot }) => slot <= still),
  )
}

const deposit = async (): Promise<string> => {
  orders += 1
  const orderId: Hex = `0x${orders.toString(16).padStart(64, '0')}`
  return chain.send(user, [transferNative(user.address, depository, 1000n + BigInt(orders)), memo(orderId)])
}

const seen = (id: string) => () => following.deposits.some(({ tx }) => tx.id === id)

test('F131: deposits go on when the node they are read from stands still; it loses its place and its vote', async () => {
  // A deposit of before the watcher began would not be seen.
  await expect.poll(() => following.pages.length, PATIENCE).toBeGreaterThan(0)
  await expect.poll(seen(await deposit()), PATIENCE).toBe(true)
  const reading = reader.rpc.endpoints.indexOf(reader.rpc.ordered()[0] as never)
  await freeze(reading)
  const begun = performance.now()
  const id = await deposit()
  await expect.poll(seen(id), PATIENCE).toBe(true)
  console.info(`seen ${Math.round(performance.now() - begun)} ms after, slots every ${SLOT_MS} ms`)
  await expect.poll(() => states()[NAMES[reading] ?? ''], PATIENCE).toBe('lagging')
  expect(reader.rpc.providers.map(({ name }) => name)).toEqual(NAMES.filter((_, at) => at !== reading))
  expect(reader.rpc.ordered().at(-1)?.name).toBe(NAMES[reading])
})

test('F131: a slot that the reading node invents is not believed, nor stays in the way', async () => {
  await expect.poll(seen(await deposit()), PATIENCE).toBe(true)
  const reading = reader.rpc.endpoints.indexOf(reader.rpc.ordered()[0] as never)
  const { height } = await reader.heads.tip()
  nodes[reading]?.rewrite('getLatestBlockhash', (result) => ({ ...Object(result), context: { slot: 2 ** 53 - 1 } }))
  nodes[reading]?.rewrite('getSlot', () => 2 ** 53 - 1)
  await expect.poll(seen(await deposit()), PATIENCE).toBe(true)
  await expect.poll(() => states()[NAMES[reading] ?? ''], PATIENCE).toBe('distrusted')
  await expect.poll(async () => (await reader.heads.refresh()).height > height, PATIENCE).toBe(true)
  expect((await reader.heads.tip()).height).toBeLessThan(height + 10_000n)
})
