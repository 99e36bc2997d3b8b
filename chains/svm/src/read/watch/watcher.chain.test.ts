import type { Hex } from '@causeway/core'
import type { RpcEndpoint } from '@causeway/core/chain'
import { Keypair, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { NATIVE } from '../../address/addresses.js'
import { type RewritingNode, startRewritingNode } from '../../rpc/rewritingNode.test.support.js'
import { type LocalSvmAccount, type LocalSvmChain, startLocalSvm } from '../../testing/node/localSvm.js'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../token/program/tokenPrograms.js'
import {
  createReader,
  type Following,
  follow,
  memo,
  type Reader,
  type ReaderSetup,
  tokenAccount,
  transferNative,
  transferToken,
} from './reading.test.support.js'

const depository = Keypair.generate().publicKey.toBase58()
const PATIENCE = { timeout: 60_000, interval: 20 }

let chain: LocalSvmChain
let user: LocalSvmAccount
let other: LocalSvmAccount
let token: string
let taxed: string
let accounts: readonly string[]
let reader: Reader
let node: RewritingNode
const opened: { close(): unknown }[] = []
let orders = 0

beforeAll(async () => {
  chain = await startLocalSvm({ slotMs: 50, finalizedLag: 40 })
  user = chain.accounts[0] as LocalSvmAccount
  other = chain.accounts[1] as LocalSvmAccount
  token = await chain.createToken({ decimals: 6 })
  taxed = await chain.createToken({
    decimals: 6,
    program: 'token-2022',
    transferFee: { bps: 100, maximum: 10n ** 12n },
  })
  for (const mint of [token, taxed]) {
    await chain.fund(user.address, 10n ** 9n, mint)
    await chain.fund(depository, 1n, mint)
  }
  await chain.fund(depository, 10n ** 9n)
  accounts = [tokenAccount(depository, token, TOKEN_PROGRAM_ID), tokenAccount(depository, taxed, TOKEN_2022_PROGRAM_ID)]
  node = await startRewritingNode(chain.rpcUrl)
  reader = open()
})

afterEach(() => node.clear())

afterAll(async () => {
  for (const item of opened) await item.close()
  await node?.close()
  await chain?.close()
})

const open = (
  endpoints: readonly RpcEndpoint[] = [{ http: chain.rpcUrl }],
  options: ReaderSetup['options'] = {},
  { genesisHash } = chain,
): Reader => {
  const made = createReader({ genesisHash, endpoints, depository, accounts, options })
  opened.push(made)
  return made
}

const newOrderId = (): Hex => {
  orders += 1
  return `0x${'c0'.repeat(24)}${orders.toString(16).padStart(16, '0')}`
}

const depositNative = (amount: bigint, orderId: Hex, from = user): TransactionInstruction[] => [
  transferNative(from.address, depository, amount),
  memo(orderId),
]

const sendNative = (amount: bigint, orderId: Hex, from = user) => chain.send(from, depositNative(amount, orderId, from))

/** Follows from the tip, and has begun. */
const followTip = async (of: Reader = reader): Promise<Following> => {
  const following = follow(of, null)
  await expect.poll(() => following.pages.length, PATIENCE).toBeGreaterThan(0)
  return following
}

const of = (following: Following, signature: string) => following.deposits.filter(({ tx }) => tx.id === signature)

const seen = (following: Following, signature: string, times = 1) =>
  expect.poll(() => of(following, signature).length, PATIENCE).toBe(times)

test('chains.md svm 3 and 4: native, SPL and Token-2022 deposits are credited with what arrived, once', async () => {
  const following = await followTip()
  const ids = [newOrderId(), newOrderId(), newOrderId()] as const
  const native = await sendNative(1000n, ids[0])
  const spl = await chain.send(user, [
    transferToken(user.address, depository, { mint: token, program: TOKEN_PROGRAM_ID, amount: 2000n }),
    memo(ids[1]),
  ])
  const fee = await chain.send(user, [
    transferToken(user.address, depository, { mint: taxed, program: TOKEN_2022_PROGRAM_ID, amount: 10_000n }),
    memo(ids[2]),
  ])
  for (const signature of [native, spl, fee]) await seen(following, signature)
  await following.stop()
  const summary = (signature: string) =>
    of(following, signature).map(({ money, orderId, depositor, position }) => ({
      ...money,
      orderId,
      depositor,
      position,
    }))
  const facts = { depositor: user.address, position: 0 }
  expect(summary(native)).toEqual([{ ...facts, currency: NATIVE, amount: 1000n, orderId: ids[0] }])
  expect(summary(spl)).toEqual([{ ...facts, currency: token, amount: 2000n, orderId: ids[1] }])
  expect(summary(fee)).toEqual([{ ...facts, currency: taxed, amount: 9900n, orderId: ids[2] }])
  const [deposit] = of(following, native)
  expect(deposit?.fee).toBeGreaterThanOrEqual(5000n)
  expect(deposit?.block?.time).toBeGreaterThan(0)
  const blocks = await reader.heads.blockOf([deposit?.block?.height ?? 0n])
  expect([...blocks.values()]).toEqual([deposit?.block])
})

test('equal deposits in one block are two', async () => {
  const following = await followTip()
  const id = newOrderId()
  await chain.hold()
  const options = { wait: false }
  const signatures = await Promise.all([
    chain.send(user, depositNative(500n, id), options),
    chain.send(other, depositNative(500n, id, other), options),
  ])
  await chain.release()
  for (const signature of signatures) await seen(following, signature)
  await following.stop()
  expect(new Set(signatures).size).toBe(2)
})

test('F19: a transaction that failed is never credited', async () => {
  const following = await followTip()
  const id = newOrderId()
  const failing = [...depositNative(700n, id), transferNative(user.address, depository, 10n ** 15n)]
  const failed = await chain.send(user, failing, { mayFail: true })
  const good = await sendNative(701n, newOrderId())
  await seen(following, good)
  await following.stop()
  expect(following.deposits.filter(({ orderId }) => orderId === id)).toEqual([])
  const [evidence] = await reader.lookup.recheckDeposits([{ tx: { id: failed }, position: 0 }])
  expect(evidence).toMatchObject({ finding: 'failed', receiptStatus: 'reverted' })
})

test('F107: no gap with small pages and a backlog in parts, from any cursor', async () => {
  const small = open(undefined, { signaturePage: 2, transactionBatch: 3 })
  const begin = await followTip(small)
  await begin.stop()
  const signatures: string[] = []
  for (let at = 0; at < 15; at += 1) {
    signatures.push(
      ...(await Promise.all(
        [user, other, chain.accounts[2] as LocalSvmAccount].map((from) => sendNative(9n, newOrderId(), from)),
      )),
    )
  }
  await chain.advance(5)
  const whole = follow(small, begin.cursor())
  // One of a test before may come again: what was not final at the cursor is told once more.
  const own = () => whole.deposits.filter(({ tx }) => signatures.includes(tx.id))
  await expect.poll(() => new Set(own().map(({ tx }) => tx.id)).size, PATIENCE).toBe(45)
  await whole.stop()
  expect(own()).toHaveLength(45)
  const heights = own().map(({ block }) => block?.height ?? 0n)
  expect(heights).toEqual([...heights].sort((left, right) => Number(left - right)))
  for (const at of [0, Math.floor(whole.pages.length / 2), whole.pages.length - 1]) {
    const stored = JSON.parse(JSON.stringify(whole.pages[at]?.cursor))
    const before = whole.pages.slice(0, at + 1).flatMap(({ deposits }) => deposits)
    const rest = follow(small, stored)
    const ids = () => [...before, ...rest.deposits].map(({ tx }) => tx.id)
    const all = () => new Set(ids().filter((id) => signatures.includes(id))).size
    await expect.poll(all, PATIENCE).toBe(45)
    await rest.stop()
  }
})

test('F22: a deposit that a fork drops is rewound, missing on a second reading, and found again when it lands again', async () => {
  const still = await startLocalSvm({ slotMs: 0, finalizedLag: 40 })
  opened.push(still)
  await still.fund(depository, 10n ** 9n)
  const reading = open([{ http: still.rpcUrl }], {}, still)
  const following = await followTip(reading)
  const signature = await still.send(user, depositNative(77n, newOrderId()))
  await seen(following, signature)
  const reference = { tx: { id: signature }, position: 0 }
  const { lookup } = reading
  expect((await lookup.recheckDeposits([reference]))[0]?.finding).toBe('present')
  const params = [signature, { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 0 }]
  // Asked apart from the adapter's client, which reads no bytes.
  const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(still.rpcUrl, { method: 'POST', headers, body: asked })
  const { result } = (await response.json()) as { result: { transaction: [string, string] } }
  const { transaction } = result
  const [first] = of(following, signature)
  const height = first?.block?.height ?? 0n
  await still.dropSlots(1)
  await still.advance(1)
  const rewound = () => following.pages.some(({ rewoundTo }) => rewoundTo === height - 1n)
  await expect.poll(rewound, PATIENCE).toBe(true)
  expect((await lookup.recheckDeposits([reference]))[0]).toMatchObject({ finding: 'missing', source: 'transaction' })
  expect(await lookup.findTransaction({ id: signature })).toMatchObject({ status: 'unknown', block: null })
  await reading.rpc.call('sendTransaction', [transaction[0], { encoding: 'base64', skipPreflight: true }])
  await seen(following, signature, 2)
  await following.stop()
  const [, second] = of(following, signature)
  expect(second?.position).toBe(first?.position)
  expect(second?.block?.hash).not.toBe(first?.block?.hash)
  const found = { finding: 'present', deposit: { money: { amount: 77n } } }
  expect((await lookup.recheckDeposits([reference]))[0]).toMatchObject(found)
})

test('a watcher that was away during a fork sees it from its stored cursor', async () => {
  const following = await followTip()
  const lost = await sendNative(6n, newOrderId())
  await seen(following, lost)
  await following.stop()
  const height = of(following, lost)[0]?.block?.height ?? 0n
  const tip = (await reader.heads.refresh()).height
  // Slots go on meanwhile.
  await chain.dropSlots(Number(tip - height) + 5)
  await chain.advance(2)
  const resumed = follow(reader, following.cursor())
  await expect.poll(() => resumed.pages.some(({ rewoundTo }) => rewoundTo === height - 1n), PATIENCE).toBe(true)
  await resumed.stop()
})

test('a node that is a moment behind is not taken for a fork', async () => {
  const through = open([{ http: node.url }])
  const following = await followTip(through)
  const signature = await sendNative(8n, newOrderId())
  await seen(following, signature)
  const height = Number(of(following, signature)[0]?.block?.height)
  node.rewrite('getSlot', () => height - 1)
  node.rewrite('getSignaturesForAddress', (result) =>
    (result as readonly { readonly slot: number }[]).filter(({ slot }) => slot < height),
  )
  const readings = node.calls.get('getSignaturesForAddress') ?? 0
  await expect.poll(() => node.calls.get('getSignaturesForAddress') ?? 0, PATIENCE).toBeGreaterThan(readings + 9)
  node.clear()
  const later = await sendNative(9n, newOrderId())
  await seen(following, later)
  await following.stop()
  expect(following.pages.every(({ rewoundTo }) => rewoundTo === null)).toBe(true)
  expect(of(following, signature)).toHaveLength(1)
})

test('a transaction that is listed and not shown yet is waited for', async () => {
  const through = open([{ http: node.url }])
  const following = await followTip(through)
  let hidden = 3
  node.rewrite('getTransaction', (result) => {
    hidden -= 1
    return hidden >= 0 ? null : result
  })
  const signature = await sendNative(11n, newOrderId())
  await seen(following, signature)
  await following.stop()
  expect(hidden).toBeLessThan(0)
})

test('what one node lists and never shows is taken from another provider', async () => {
  const endpoints = [
    { http: node.url, provider: 'blind' },
    { http: chain.rpcUrl, provider: 'seeing' },
  ]
  const following = await followTip(open(endpoints))
  node.rewrite('getTransaction', () => null)
  const signature = await sendNative(14n, newOrderId())
  await seen(following, signature)
  await following.stop()
})

test('a signature that a node invented does not hold up what came after it', async () => {
  const endpoints = [
    { http: node.url, provider: 'inventive' },
    { http: chain.rpcUrl, provider: 'honest' },
  ]
  const two = open(endpoints)
  const heard: string[] = []
  two.monitor.onDisagreement(({ details }) => heard.push(details), new AbortController().signal)
  const following = await followTip(two)
  const slot = Number((await two.heads.refresh()).height) + 1
  node.rewrite('getSignaturesForAddress', (result) => {
    const list = result as readonly { readonly slot: number }[]
    const invented = { signature: '4'.repeat(88), slot, err: null, confirmationStatus: 'confirmed' }
    return [...list.filter((item) => item.slot > slot), invented, ...list.filter((item) => item.slot <= slot)]
  })
  await chain.advance(3)
  for (let at = 0; at < 3; at += 1) await seen(following, await sendNative(15n, newOrderId()))
  await following.stop()
  expect(heard.join()).toMatch(/inventive lists it/)
  expect(following.deposits.filter(({ tx }) => tx.id === '4'.repeat(88))).toEqual([])
})

test('F131: slots that a node invented do not keep later deposits out', async () => {
  const endpoints = [
    { http: node.url, provider: 'inventive' },
    { http: chain.rpcUrl, provider: 'honest' },
  ]
  const two = open(endpoints, { rescanMs: 600_000 })
  const following = await followTip(two)
  const far = 1_000_000_000
  node.rewrite('getSlot', (slot) => Number(slot) + 2 * far)
  node.rewrite('getSignaturesForAddress', (result) => [
    { signature: '4'.repeat(88), slot: far, err: { Custom: 1 }, confirmationStatus: 'finalized' },
    ...(result as readonly object[]),
  ])
  await chain.advance(3)
  await seen(following, await sendNative(16n, newOrderId()))
  node.clear()
  await seen(following, await sendNative(17n, newOrderId()))
  await following.stop()
  expect(following.pages.every(({ height }) => height < far)).toBe(true)
})

test('the watcher goes on after nodes fail for a while', async () => {
  const following = await followTip()
  await chain.failNext({ method: 'getSignaturesForAddress', times: 2, status: 503 })
  const signature = await sendNative(13n, newOrderId())
  await seen(following, signature)
  await following.stop()
})

test('F107: what a node never lists is found by another provider, and the operator hears of it', async () => {
  const hidden = new Set<unknown>()
  node.rewrite('getSignaturesForAddress', (result) =>
    (result as readonly { readonly signature: string }[]).filter(({ signature }) => !hidden.has(signature)),
  )
  const endpoints = [
    { http: node.url, provider: 'forgetful' },
    { http: chain.rpcUrl, provider: 'whole' },
  ]
  const two = open(endpoints, { rescanMs: 300 })
  const heard: string[] = []
  const stop = new AbortController()
  two.monitor.onDisagreement(({ details }) => heard.push(details), stop.signal)
  const following = await followTip(two)
  await chain.hold()
  const signature = await chain.send(user, depositNative(12n, newOrderId()), { wait: false })
  hidden.add(signature)
  await chain.release()
  await seen(following, signature)
  await following.stop()
  stop.abort()
  expect(heard.join()).toMatch(/whole lists it/)
})

test('F05, F06: a deposit is confirmed only by enough distinct providers, and final ones only when finalized', async () => {
  const id = newOrderId()
  const signature = await sendNative(100n, id)
  const claim = { tx: { id: signature }, position: 0, money: { currency: NATIVE, amount: 100n }, orderId: id }
  const endpoints = [
    { http: chain.rpcUrl, provider: 'one' },
    { http: node.url, provider: 'two' },
  ]
  const two = open(endpoints)
  const { lookup } = two
  await expect.poll(() => lookup.confirmDeposit(claim, { agreeing: 2 }), PATIENCE).toBe(true)
  const larger = { ...claim, money: { ...claim.money, amount: 101n } }
  expect(await lookup.confirmDeposit(larger, { agreeing: 1 })).toBe(false)
  await expect.poll(() => lookup.confirmDeposit(claim, { agreeing: 2, confirmations: 32 }), PATIENCE).toBe(true)
  node.rewrite('getTransaction', () => null)
  const heard: string[] = []
  two.monitor.onDisagreement(({ details }) => heard.push(details), new AbortController().signal)
  expect(await lookup.confirmDeposit(claim, { agreeing: 2 })).toBe(false)
  expect(heard).toEqual(['shown by one; denied by two'])
  const same = open(endpoints.map(({ http }) => ({ http, provider: 'one' })))
  const alone = same.lookup
  await expect(alone.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('catching up 10,000 slots with 100 deposits takes seconds, in pages of bounded size', async () => {
  const begin = await followTip()
  await begin.stop()
  const signatures: string[] = []
  for (let at = 0; at < 100; at += 1) {
    signatures.push(await sendNative(5n, newOrderId()))
    await chain.advance(100)
  }
  const startedAt = performance.now()
  const following = follow(reader, begin.cursor())
  await expect.poll(() => following.deposits.length, PATIENCE).toBe(100)
  const took = performance.now() - startedAt
  await following.stop()
  expect(following.deposits.map(({ tx }) => tx.id)).toEqual(signatures)
  for (const { deposits } of following.pages) expect(deposits.length).toBeLessThanOrEqual(200)
  expect(took).toBeLessThan(30_000)
})
