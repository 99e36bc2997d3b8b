import type { RpcEndpoint } from '@causeway/core/chain'
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import { freshAddress } from '../../lane/payWorld.test.support.js'
import { transferChecked } from '../../read/token/program/tokenInstructions.js'
import { TOKEN_PROGRAM_ID } from '../../read/token/program/tokenPrograms.js'
import { createTokenAccount } from '../../read/token/tokenAccounts.js'
import { tokenAccount, transferNative, transferToken } from '../../read/watch/reading.test.support.js'
import { type RewritingNode, startRewritingNode } from '../../rpc/rewritingNode.test.support.js'
import { type LocalSvmChain, startLocalSvm } from '../../testing/index.js'
import {
  type AddressWorld,
  createAddressWorld,
  type Following,
  follow,
  liveSet,
  PATIENCE,
} from '../addressWorld.test.support.js'

const LAMPORTS = 1_000_000n
const TOKENS = 1000n

let chain: LocalSvmChain
let world: AddressWorld
let token: string
let other: string
let junk: string
let node: RewritingNode
const worlds: AddressWorld[] = []
const running: Following[] = []

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 0, finalizedLag: 12 })
  token = await chain.createToken({ decimals: 6 })
  other = await chain.createToken({ decimals: 6, program: 'token-2022' })
  junk = await chain.createToken({ decimals: 6 })
  node = await startRewritingNode(chain.rpcUrl)
  world = await open()
  for (const mint of [token, other, junk]) await chain.fund(world.user.address, 10n ** 9n, mint)
})

afterEach(async () => {
  node.clear()
  for (const following of running.splice(0)) await following.stop()
})

afterAll(async () => {
  for (const item of worlds) await item.close()
  await node?.close()
  await chain?.close()
})

const open = async (
  endpoints?: readonly RpcEndpoint[],
  onRpcCall?: (method: string) => void,
): Promise<AddressWorld> => {
  const made = createAddressWorld(chain, {
    tokens: [token, other],
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(onRpcCall === undefined ? {} : { onRpcCall }),
  })
  worlds.push(made)
  await made.start()
  return made
}

/** Follows from the tip, and has begun. */
const followTip = async (live: ReturnType<typeof liveSet>, of: AddressWorld = world): Promise<Following> => {
  const following = follow(of, live, null)
  running.push(following)
  await expect.poll(() => following.pages.length, PATIENCE).toBeGreaterThan(0)
  return following
}

/** Where the first page that tells of a fork goes back to; null: none does. */
const rewindOf = ({ pages }: Following): bigint | null =>
  pages.find(({ rewoundTo }) => rewoundTo !== null)?.rewoundTo ?? null

const money = ({ arrivals }: Pick<Following, 'arrivals'>) =>
  arrivals.map(({ tx, to, money: { currency, amount } }) => [tx.id, to.address, currency, amount])

const payTokens = (owner: string, mint: string, amount: bigint): TransactionInstruction[] => [
  createTokenAccount(world.user.address, owner, { address: mint, programId: TOKEN_PROGRAM_ID.toBase58() }),
  transferToken(world.user.address, owner, { mint, program: TOKEN_PROGRAM_ID, amount }),
]

const payNative = (to: string, lamports = LAMPORTS) => transferNative(world.user.address, to, lamports)

test('native and both kinds of tokens, several to one address in one block and in one transaction, each once', async () => {
  const [first, second, given] = [world.newAddress(), world.newAddress(), world.newAddress()]
  const [one, two, late] = [first, second, given].map(({ destination }) => destination.address) as [
    string,
    string,
    string,
  ]
  const live = liveSet([one, two])
  await world.pay(first, LAMPORTS)
  const following = await followTip(live)
  await chain.hold()
  const held = [
    await chain.send(world.user, [payNative(one)], { wait: false }),
    await chain.send(world.user, [payNative(one, 2n * LAMPORTS)], { wait: false }),
    await chain.send(world.user, [payNative(one), payNative(two), ...payTokens(one, token, TOKENS)], { wait: false }),
  ] as const
  await chain.release()
  live.set.add(late)
  const last = await world.pay(given, TOKENS, other)
  await expect.poll(() => following.arrivals.some(({ tx }) => tx.id === last), PATIENCE).toBe(true)
  expect(money(following)).toEqual([
    [held[0], one, NATIVE, LAMPORTS],
    [held[1], one, NATIVE, 2n * LAMPORTS],
    [held[2], one, NATIVE, LAMPORTS],
    [held[2], two, NATIVE, LAMPORTS],
    [held[2], one, token, TOKENS],
    [last, late, other, TOKENS],
  ])
  expect(new Set(following.arrivals.slice(0, 5).map(({ block }) => block?.height)).size).toBe(1)
  for (const arrival of following.arrivals) {
    expect(arrival).toMatchObject({ state: 'included', position: 0, sender: world.user.address })
  }
  expect(live.refreshes).toBeGreaterThan(0)
})

test('faults.md F13 and F19: no arrival of nothing, of what failed, of what is not configured, or at a stranger', async () => {
  const address = freshAddress()
  const live = liveSet([address])
  await chain.send(world.user, [payNative(address)])
  const following = await followTip(live)
  await chain.send(world.user, [payNative(address, 0n), payNative(freshAddress())])
  await chain.send(world.user, [payNative(address), payNative(address, 10n ** 15n)], { mayFail: true })
  await chain.send(world.user, payTokens(address, junk, TOKENS))
  await chain.send(world.user, payTokens(address, token, 0n))
  const last = await chain.send(world.user, [payNative(address, 1n)])
  await expect.poll(() => following.arrivals.length, PATIENCE).toBeGreaterThan(0)
  expect(money(following)).toEqual([[last, address, NATIVE, 1n]])
})

test('tokens in any account that the address owns count, and of what a program paid out no sender is named', async () => {
  const address = freshAddress()
  const following = await followTip(liveSet([address]))
  // The mint's authority makes some out of nothing: nobody lost it.
  await chain.fund(address, TOKENS, token)
  const from = new PublicKey(tokenAccount(world.user.address, token, TOKEN_PROGRAM_ID))
  const to = new PublicKey(tokenAccount(address, token, TOKEN_PROGRAM_ID))
  const paid = transferChecked({
    ...{ source: from, mint: new PublicKey(token), destination: to },
    ...{ owner: world.user.keypair.publicKey, amount: 5n, decimals: 6 },
  })
  await chain.send(world.user, [paid], { feePayer: world.solver })
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(2)
  expect(following.arrivals.map(({ sender, money: { amount } }) => [sender, amount])).toEqual([
    [null, TOKENS],
    [world.user.address, 5n],
  ])
})

test('an arrival that a fork took away makes the watcher rewind; what comes again is shown again', async () => {
  const address = freshAddress()
  const following = await followTip(liveSet([address]))
  const kept = await chain.send(world.user, [payNative(address)])
  await chain.advance(2)
  const lost = await chain.send(world.user, [payNative(address)])
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(2)
  const [first, second] = following.arrivals
  await chain.dropSlots(1)
  await chain.advance(2)
  await expect.poll(() => rewindOf(following), PATIENCE).not.toBeNull()
  const rewoundTo = rewindOf(following)
  expect(rewoundTo).toBeGreaterThanOrEqual(first?.block?.height ?? 0n)
  expect(rewoundTo).toBeLessThan(second?.block?.height ?? 0n)
  const again = await chain.send(world.user, [payNative(address)])
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(3)
  expect(following.arrivals.map(({ tx }) => tx.id)).toEqual([kept, lost, again])
})

test('after a day away it reads on from its cursor, part by part, past slots without a block', async () => {
  const address = freshAddress()
  const live = liveSet([address])
  const before = await followTip(live)
  await before.stop()
  const first = await chain.send(world.user, [payNative(address)])
  await chain.advance(30)
  await chain.dropSlots(5)
  await chain.advance(40)
  const last = await chain.send(world.user, [payNative(address)])
  const calls = new Map<string, number>()
  const away = await open(undefined, (method) => calls.set(method, (calls.get(method) ?? 0) + 1))
  const following = follow(away, live, before.cursor())
  running.push(following)
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(2)
  expect(following.arrivals.map(({ tx }) => tx.id)).toEqual([first, last])
  expect(following.pages.every(({ rewoundTo }) => rewoundTo === null)).toBe(true)
  // Pages of four blocks, each listed first.
  expect(calls.get('getBlocksWithLimit')).toBeGreaterThanOrEqual(15)
  expect(calls.get('getBlocksWithLimit')).toBeLessThanOrEqual(25)
})

test('a cursor of a block that has left the chain is gone back from, however long ago it was', async () => {
  const address = freshAddress()
  const live = liveSet([address])
  const before = await followTip(live)
  await chain.send(world.user, [payNative(address)])
  await expect.poll(() => before.arrivals.length, PATIENCE).toBe(1)
  await before.stop()
  await chain.dropSlots(3)
  await chain.advance(40)
  const following = follow(world, live, before.cursor())
  running.push(following)
  await expect.poll(() => rewindOf(following), PATIENCE).not.toBeNull()
  expect(rewindOf(following)).toBeLessThan(before.arrivals[0]?.block?.height ?? 0n)
})

test('a block costs the same requests with ten addresses as with ten thousand', async () => {
  const cost = async (count: number): Promise<ReadonlyMap<string, number>> => {
    const calls = new Map<string, number>()
    const counted = await open(undefined, (method) => calls.set(method, (calls.get(method) ?? 0) + 1))
    const address = Keypair.generate().publicKey.toBase58()
    const strangers = Array.from({ length: count - 1 }, (_, at) => `address ${at}`)
    const following = await followTip(liveSet([address, ...strangers]), counted)
    calls.clear()
    for (let at = 1; at <= 5; at += 1) {
      await chain.send(counted.user, [payNative(address)])
      await expect.poll(() => following.arrivals.length, PATIENCE).toBe(at)
    }
    await following.stop()
    await counted.close()
    return calls
  }
  const [few, many] = [await cost(10), await cost(10_000)]
  expect(few.get('getBlock')).toBe(5)
  expect(many.get('getBlock')).toBe(5)
  expect(many.get('getBlocksWithLimit') ?? 0).toBe(0)
})

test('faults.md F107: a node that leaves out a block is found by the next one, and another is asked', async () => {
  const endpoints = [
    { http: node.url, provider: 'one' },
    { http: chain.rpcUrl, provider: 'two' },
  ]
  const between = await open(endpoints)
  const address = freshAddress()
  const live = liveSet([address])
  const following = await followTip(live, between)
  let hiddenSlot = 0
  node.rewrite('getBlock', (result, [slot]) => (slot === hiddenSlot ? null : result))
  node.rewrite('getBlocksWithLimit', (result) => (result as number[]).filter((slot) => slot !== hiddenSlot))
  hiddenSlot = (await chain.connection.getSlot('confirmed')) + 1
  const paid = await chain.send(world.user, [payNative(address)])
  await chain.advance(3)
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(1)
  expect(following.arrivals[0]).toMatchObject({ tx: { id: paid }, block: { height: BigInt(hiddenSlot) } })
})

test('it fails over: with one node down it reads on from the other', async () => {
  const down = await startRewritingNode(chain.rpcUrl)
  const both = await open([
    { http: down.url, provider: 'one' },
    { http: chain.rpcUrl, provider: 'two' },
  ])
  const address = freshAddress()
  const following = await followTip(liveSet([address]), both)
  await down.close()
  await chain.send(world.user, [payNative(address)])
  await expect.poll(() => following.arrivals.length, PATIENCE).toBe(1)
})

test('a block that a node does not keep any more is passed over nowhere: it is read where another one has it', async () => {
  const pruned = await open([
    { http: node.url, provider: 'one' },
    { http: chain.rpcUrl, provider: 'two' },
  ])
  const address = freshAddress()
  const live = liveSet([address])
  const before = await followTip(live, pruned)
  await before.stop()
  const first = await chain.send(world.user, [payNative(address)])
  await chain.advance(5)
  const kept = (await chain.connection.getSlot('confirmed')) - 2
  const last = await chain.send(world.user, [payNative(address)])
  node.rewrite('getBlock', (result, [slot]) => (Number(slot) < kept ? null : result))
  node.rewrite('getBlocksWithLimit', (result, [from]) => ((from as number) < kept ? [kept] : result))
  const following = follow(pruned, live, before.cursor())
  running.push(following)
  await expect.poll(() => following.arrivals.map(({ tx }) => tx.id), PATIENCE).toEqual([first, last])
})

test('what is given while blocks are not read whole is found from its first block on, also when a fork takes that', async () => {
  const address = freshAddress()
  const live = liveSet([])
  const following = await followTip(live)
  await chain.advance(3)
  await expect.poll(() => following.pages.at(-1)?.height, PATIENCE).toBeGreaterThan(following.pages[0]?.height ?? 0n)
  expect(following.pages.flatMap(({ arrivals = [] }) => arrivals)).toEqual([])
  live.set.add(address)
  const paid = await chain.send(world.user, [payNative(address)])
  await expect.poll(() => following.arrivals.map(({ tx }) => tx.id), PATIENCE).toEqual([paid])
  await chain.dropSlots(1)
  await chain.advance(2)
  await expect.poll(() => rewindOf(following), PATIENCE).not.toBeNull()
  expect(rewindOf(following)).toBeLessThan(following.arrivals[0]?.block?.height ?? 0n)
})
