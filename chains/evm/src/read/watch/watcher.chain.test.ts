import { depositoryAbi, multiDepositAbi, multiDepositBytecode, testTokenAbi } from '@causeway/contracts-abi'
import type { Hex, Json } from '@causeway/core'
import { type CurrencyConfig, type DepositEvent, NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import { concat, encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../../adapter.js'
import { ZERO_ADDRESS } from '../../address/addresses.js'
import { type FaultProxy, type FaultRule, startFaultProxy } from '../../testing/node/faultProxy.js'
import type { LocalAccount, SentTransaction } from '../../testing/node/localChain.js'
import { omitLogs } from '../../testing/node/lyingNode.js'
import { startTestDeployment, type TestDeployment } from '../../testing/testDeployment.js'

let deployment: TestDeployment
let adapter: EvmAdapter
let proxy: FaultProxy
let proxied: EvmAdapter
let user: LocalAccount
let nextOrder = 1

beforeAll(async () => {
  deployment = await startTestDeployment(31_102)
  proxy = await startFaultProxy(deployment.chain.rpcUrl)
  adapter = deployment.adapter()
  proxied = deployment.adapter({ rpc: [{ http: proxy.url }], options: { maxLogRange: 64, pendingBlocks: 16 } })
  await adapter.start(new AbortController().signal)
  await proxied.start(new AbortController().signal)
  user = deployment.chain.accounts[0] as LocalAccount
})

afterAll(async () => {
  await adapter.stop()
  await proxied.stop()
  await proxy.close()
  await deployment.chain.close()
})

const newOrderId = (): Hex => `0x${'c0'.repeat(16)}${(nextOrder++).toString(16).padStart(32, '0')}`

const sendNow = async (transaction: SentTransaction): Promise<Hex> => {
  const hash = await deployment.chain.send(user, transaction)
  await expect.poll(() => deployment.chain.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull()
  return hash
}

const nativeDeposit = (id: Hex, value: bigint): SentTransaction => ({
  to: deployment.depository,
  value,
  data: encodeFunctionData({ abi: depositoryAbi, functionName: 'depositNative', args: [getAddress(user.address), id] }),
})

const approve = (token: string, spender = deployment.depository): SentTransaction => {
  const args = [getAddress(spender), 10n ** 30n] as const
  return { to: token, data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args }) }
}

const tokenDeposit = (token: string, amount: bigint, id: Hex): SentTransaction => {
  const args = [getAddress(user.address), getAddress(token), amount, id] as const
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: 'depositErc20', args })
  return { to: deployment.depository, data }
}

const bareTransfer = (amount: bigint, trail: Hex, token = deployment.token): SentTransaction => {
  const args = [getAddress(deployment.depository), amount] as const
  const data = concat([encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args }), trail])
  return { to: token, data }
}

interface Reading {
  readonly pages: WatchPage[]
  readonly deposits: DepositEvent[]
  readonly cursor: () => Json
  stop(): Promise<void>
}

/** Follows a watcher in the background. */
const follow = (watcher: EvmAdapter, cursor: Json): Reading => {
  const control = new AbortController()
  const pages: WatchPage[] = []
  const deposits: DepositEvent[] = []
  const run = (async () => {
    for await (const page of watcher.watch(cursor, NOTHING_LIVE, control.signal)) {
      pages.push(page)
      deposits.push(...page.deposits)
    }
  })()
  return {
    pages,
    deposits,
    cursor: () => pages.at(-1)?.cursor ?? cursor,
    stop: async () => {
      control.abort()
      await run
    },
  }
}

const of = (reading: Reading, txId: string) => reading.deposits.filter(({ tx }) => tx.id === txId)

/** A cursor at the present tip, as a host would have stored it. */
const cursorAtTip = async (): Promise<Json> => {
  const block = await deployment.chain.rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', ['latest', false])
  const number = BigInt(block.number).toString()
  return { number, hash: block.hash, ring: [[number, block.hash]] }
}

test('chains.md evm 3 and 4: each deposit form is credited with what arrived, once', async () => {
  const reading = follow(adapter, await cursorAtTip())
  const fee = await deployment.chain.deployToken({ name: 'Fee', symbol: 'FEE', decimals: 6, kind: 'fee' })
  const noReturn = await deployment.chain.deployToken({ name: 'Nr', symbol: 'NR', decimals: 6, kind: 'no-return' })
  for (const token of [fee, noReturn]) await deployment.chain.fund(user.address, 10n ** 9n, token)
  for (const token of [fee, noReturn, deployment.token]) await sendNow(approve(token))
  const [native, token, taxed, silent, bare] = [newOrderId(), newOrderId(), newOrderId(), newOrderId(), newOrderId()]
  const nativeTx = await sendNow(nativeDeposit(native, 1000n))
  const tokenTx = await sendNow(tokenDeposit(deployment.token, 2000n, token))
  const taxedTx = await sendNow(tokenDeposit(fee, 10_000n, taxed))
  const silentTx = await sendNow(tokenDeposit(noReturn, 3000n, silent))
  const bareTx = await sendNow(bareTransfer(4000n, bare))
  const plainTx = await sendNow(bareTransfer(5000n, '0x'))
  const paddedTx = await sendNow(bareTransfer(6000n, `0x${'0'.repeat(32)}${'ff'.repeat(16)}`))
  const zeroIdTx = await sendNow(nativeDeposit(`0x${'0'.repeat(64)}`, 7000n))
  const emptyTx = await sendNow(nativeDeposit(newOrderId(), 0n))
  const lastTx = await sendNow(nativeDeposit(newOrderId(), 1n))
  await expect.poll(() => of(reading, lastTx).length).toBe(1)
  await reading.stop()
  const summary = (txId: string) =>
    of(reading, txId).map(({ orderId, money, position, depositor }) => ({ orderId, ...money, position, depositor }))
  const depositor = user.address
  const expected = (currency: string, amount: bigint, orderId: Hex | null) => [
    { orderId, currency, amount, position: 0, depositor },
  ]
  expect(summary(nativeTx)).toEqual(expected(ZERO_ADDRESS, 1000n, native))
  expect(summary(tokenTx)).toEqual(expected(deployment.token, 2000n, token))
  // F07: the received amount counts, the order id stays.
  expect(summary(taxedTx)).toEqual(expected(fee, 9900n, taxed))
  expect(summary(silentTx)).toEqual(expected(noReturn, 3000n, silent))
  expect(summary(bareTx)).toEqual(expected(deployment.token, 4000n, bare))
  expect(summary(plainTx)).toEqual(expected(deployment.token, 5000n, null))
  expect(summary(paddedTx)).toEqual(expected(deployment.token, 6000n, null))
  expect(summary(zeroIdTx)).toEqual(expected(ZERO_ADDRESS, 7000n, null))
  expect(summary(emptyTx)).toEqual([])
  const [event] = of(reading, nativeTx)
  expect(event?.fee).toBeGreaterThan(0n)
  expect(event?.txData).toMatchObject({ from: user.address, to: deployment.depository, value: '1000' })
  expect(event?.block?.time).toBeGreaterThan(0)
})

test('F10: two deposits with one order id in one transaction have their own positions', async () => {
  const multi = await deployment.chain.deploy(multiDepositAbi, multiDepositBytecode)
  await sendNow(approve(deployment.token, multi))
  const reading = follow(adapter, await cursorAtTip())
  const id = newOrderId()
  const deposits = [
    { token: getAddress(ZERO_ADDRESS), amount: 11n },
    { token: getAddress(deployment.token), amount: 22n },
    { token: getAddress(ZERO_ADDRESS), amount: 33n },
  ]
  const args = [getAddress(deployment.depository), getAddress(user.address), id, deposits] as const
  const data = encodeFunctionData({ abi: multiDepositAbi, functionName: 'depositMany', args })
  const txId = await sendNow({ to: multi, data, value: 44n })
  await expect.poll(() => of(reading, txId).length).toBe(3)
  await reading.stop()
  const seen = of(reading, txId).map(({ position, money, orderId }) => [position, money.amount, orderId])
  expect(seen).toEqual([
    [0, 11n, id],
    [1, 22n, id],
    [2, 33n, id],
  ])
})

test('F57: a deposit mined again in another block keeps its transaction and position', async () => {
  const reading = follow(adapter, await cursorAtTip())
  await deployment.chain.mine(1)
  const raw = await signedDeposit(newOrderId(), 77n)
  const txId = await deployment.chain.rpc<string>('eth_sendRawTransaction', [raw])
  await expect.poll(() => of(reading, txId).length).toBe(1)
  const before = await adapter.recheckDeposits([{ tx: { id: txId }, position: 0 }])
  expect(before[0]?.finding).toBe('present')

  await deployment.chain.reorg(2)
  await expect.poll(() => reading.pages.some(({ rewoundTo }) => rewoundTo !== null)).toBe(true)
  const rewound = reading.pages.find(({ rewoundTo }) => rewoundTo !== null)
  expect(rewound?.rewoundTo).toBeLessThan(of(reading, txId)[0]?.block?.height ?? 0n)
  // Of those that it has seen, at least the deposit's own block; surely no more than there were.
  expect([1n, 2n]).toContain(rewound?.replaced)
  const gone = await adapter.recheckDeposits([{ tx: { id: txId }, position: 0 }])
  expect(gone[0]).toMatchObject({ finding: 'missing', source: 'receipt' })

  await deployment.chain.mine(3)
  await deployment.chain.rpc('eth_sendRawTransaction', [raw])
  await expect.poll(() => of(reading, txId).length).toBe(2)
  await reading.stop()
  const [first, second] = of(reading, txId)
  expect(second?.position).toBe(first?.position)
  expect(second?.block?.hash).not.toBe(first?.block?.hash)
  const after = await adapter.recheckDeposits([{ tx: { id: txId }, position: 0 }])
  expect(after[0]).toMatchObject({ finding: 'present', deposit: { money: { amount: 77n } } })
})

test('a watcher that was away during a reorg finds the common ancestor from its stored cursor', async () => {
  const reading = follow(adapter, await cursorAtTip())
  const kept = await sendNow(nativeDeposit(newOrderId(), 5n))
  await expect.poll(() => of(reading, kept).length).toBe(1)
  const lost = await sendNow(nativeDeposit(newOrderId(), 6n))
  await expect.poll(() => of(reading, lost).length).toBe(1)
  await reading.stop()
  const height = of(reading, kept)[0]?.block?.height
  await deployment.chain.reorg(1)
  await deployment.chain.mine(2)
  const resumed = follow(adapter, JSON.parse(JSON.stringify(reading.cursor())))
  await expect.poll(() => resumed.pages.length).toBeGreaterThan(0)
  await resumed.stop()
  expect(resumed.pages[0]?.rewoundTo).toBe(height)
})

test('recheck reports a reverted transaction as failed, with evidence', async () => {
  const data = tokenDeposit(deployment.token, 10n ** 20n, newOrderId()).data ?? '0x'
  const txId = await deployment.chain.send(user, { to: deployment.depository, data, gas: 300_000n })
  await expect.poll(() => deployment.chain.rpc('eth_getTransactionReceipt', [txId])).not.toBeNull()
  const [evidence] = await adapter.recheckDeposits([{ tx: { id: txId }, position: 0 }])
  expect(evidence).toMatchObject({ finding: 'failed', receiptStatus: 'reverted' })
  expect(evidence?.blockHash).toMatch(/^0x/)
})

test('F107: ranges shrink until the node agrees, and nothing is missed', async () => {
  const cursor = await cursorAtTip()
  const ids: string[] = []
  for (let at = 0; at < 6; at += 1) {
    ids.push(await sendNow(nativeDeposit(newOrderId(), 9n)))
    await deployment.chain.mine(5)
  }
  const span = (params: readonly unknown[]) => {
    const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex }
    return Number(toBlock) - Number(fromBlock)
  }
  const error = { code: -32005, message: 'query returned more than 10000 results' }
  proxy.add('eth_getLogs', { when: (params) => span(params) > 3, error })
  const reading = follow(proxied, cursor)
  await expect.poll(() => ids.every((id) => of(reading, id).length === 1)).toBe(true)
  await reading.stop()
  proxy.clear()
  expect(reading.deposits).toHaveLength(6)
})

const REFUSALS = [
  {
    by: 'more than 10000 results',
    method: 'eth_getLogs',
    error: { code: -32005, message: 'query returned more than 10000 results' },
  },
  { by: 'too large', method: 'eth_getLogs', httpStatus: 413 },
  { by: 'a silence', method: 'eth_getLogs', drop: true },
  { by: 'an error of its own', method: 'eth_getLogs', error: { code: -32000, message: 'internal error' } },
] as const

test.each(REFUSALS)(
  'F132: a block whose events are refused ($by) is read by its receipts, all of it',
  async ({ method, by, ...rule }) => {
    const reading = follow(proxied, await cursorAtTip())
    proxy.add(method, rule)
    const ids = await blockOfDeposits()
    const next = await sendNow(nativeDeposit(newOrderId(), 9n))
    await expect.poll(() => [...ids, next].map((id) => of(reading, id).length)).toEqual([1, 1, 1])
    expect(proxy.calls.get('eth_getBlockReceipts'), by).toBeGreaterThan(0)
    await reading.stop()
    proxy.clear()
  },
)

test('F132: a block of which a node shows no more than single receipts is read one transaction at a time', async () => {
  const reading = follow(proxied, await cursorAtTip())
  for (const method of ['eth_getLogs', 'eth_getBlockReceipts'])
    proxy.add(method, { error: { code: -32005, message: 'limit exceeded' } })
  const ids = await blockOfDeposits()
  await expect.poll(() => ids.map((id) => of(reading, id).length)).toEqual([1, 1])
  await reading.stop()
  proxy.clear()
})

test('F132: a block that one provider refuses in every form is read from another one', async () => {
  const two = deployment.adapter({
    rpc: [
      { http: proxy.url, provider: 'narrow' },
      { http: deployment.chain.rpcUrl, provider: 'wide' },
    ],
  })
  const reading = follow(two, await cursorAtTip())
  for (const method of ['eth_getLogs', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'])
    proxy.add(method, { error: { code: -32005, message: 'response size exceeded' } })
  const ids = await blockOfDeposits()
  await expect.poll(() => ids.map((id) => of(reading, id).length)).toEqual([1, 1])
  await reading.stop()
  await two.stop()
  proxy.clear()
})

test('F132: after a refused block the watcher asks for whole ranges again', async () => {
  const reading = follow(proxied, await cursorAtTip())
  const error = { code: -32005, message: 'limit exceeded' }
  const refused = BigInt(await deployment.chain.rpc<string>('eth_blockNumber')) + 1n
  const holds = ([filter]: readonly unknown[]) => {
    const { fromBlock, toBlock } = filter as { fromBlock: Hex; toBlock: Hex }
    return BigInt(fromBlock) <= refused && BigInt(toBlock) >= refused
  }
  proxy.add('eth_getLogs', { when: holds, error })
  const ids = await blockOfDeposits()
  const later: Hex[] = []
  for (let at = 0; at < 4; at += 1) {
    await deployment.chain.mine(3)
    later.push(await sendNow(nativeDeposit(newOrderId(), 9n)))
  }
  await expect.poll(() => [...ids, ...later].every((id) => of(reading, id).length === 1)).toBe(true)
  const before = proxy.calls.get('eth_getBlockReceipts') ?? 0
  const last = await sendNow(nativeDeposit(newOrderId(), 9n))
  await expect.poll(() => of(reading, last).length).toBe(1)
  expect(proxy.calls.get('eth_getBlockReceipts') ?? 0).toBe(before)
  await reading.stop()
  proxy.clear()
})

/** A native and a token deposit in one block, with a transaction that is none. */
const blockOfDeposits = async (): Promise<readonly Hex[]> => {
  const { chain, token } = deployment
  await sendNow(approve(token))
  await chain.setAutomine(false)
  const ids = [
    await chain.send(user, nativeDeposit(newOrderId(), 21n)),
    await chain.send(user, tokenDeposit(token, 22n, newOrderId())),
  ]
  await chain.send(user, { to: user.address, value: 1n })
  await chain.mine(1)
  await chain.setAutomine(true)
  return ids
}

test('F107: a log that one page leaves out is found by the overlap', async () => {
  const reading = follow(proxied, await cursorAtTip())
  const before = proxy.calls.get('eth_getLogs') ?? 0
  proxy.add('eth_getLogs', { times: 2, rewrite: () => [] })
  const txId = await sendNow(nativeDeposit(newOrderId(), 12n))
  await expect.poll(() => proxy.calls.get('eth_getLogs') ?? 0).toBe(before + 2)
  expect(of(reading, txId)).toEqual([])
  await deployment.chain.mine(1)
  await expect.poll(() => of(reading, txId).length).toBe(1)
  await reading.stop()
  proxy.clear()
})

test('F107: a log that a node never shows is found by another provider, and the operator hears of it', async () => {
  let hidden = '0x'
  omitLogs(proxy, (id) => id === hidden)
  const two = deployment.adapter({
    rpc: [
      { http: proxy.url, provider: 'forgetful' },
      { http: deployment.chain.rpcUrl, provider: 'whole' },
    ],
    options: { rescanMs: 300, pendingBlocks: 4 },
  })
  const heard: string[] = []
  const stop = new AbortController()
  two.onDisagreement(({ details }) => heard.push(details), stop.signal)
  const reading = follow(two, await cursorAtTip())
  await deployment.chain.setAutomine(false)
  hidden = await deployment.chain.send(user, nativeDeposit(newOrderId(), 12n))
  await deployment.chain.setAutomine(true)
  // Far below what is read again each time: what counts is that it was never read twice.
  await deployment.chain.mine(30)
  await expect.poll(() => of(reading, hidden as Hex).length).toBe(1)
  expect(heard.join()).toContain('whole')
  stop.abort()
  await reading.stop()
  await two.stop()
  proxy.clear()
})

test('the watcher goes on after nodes fail for a while', async () => {
  const reading = follow(proxied, await cursorAtTip())
  proxy.add('eth_getLogs', { httpStatus: 503, times: 3 })
  const txId = await sendNow(nativeDeposit(newOrderId(), 13n))
  await expect.poll(() => of(reading, txId).length).toBe(1)
  await reading.stop()
  proxy.clear()
})

test('F05, F06: a deposit is confirmed only by enough distinct providers', async () => {
  const id = newOrderId()
  const txId = await sendNow(nativeDeposit(id, 100n))
  const claim = { tx: { id: txId }, position: 0, money: { currency: ZERO_ADDRESS, amount: 100n }, orderId: id }
  const direct = deployment.chain.rpcUrl
  const two = deployment.adapter({
    rpc: [
      { http: direct, provider: 'one' },
      { http: proxy.url, provider: 'two' },
    ],
  })
  expect(await two.confirmDeposit(claim, { agreeing: 2 })).toBe(true)
  expect(await two.confirmDeposit({ ...claim, money: { ...claim.money, amount: 101n } }, { agreeing: 1 })).toBe(false)
  proxy.add('eth_getTransactionReceipt', { rewrite: () => null })
  // A node that shows the transaction in a block and not its receipt has not answered.
  await expect(two.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  proxy.add('eth_getTransactionByHash', { rewrite: () => null })
  expect(await two.confirmDeposit(claim, { agreeing: 2 })).toBe(false)
  proxy.clear()
  proxy.add('eth_getTransactionReceipt', { drop: true })
  await expect(two.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  proxy.clear()
  const same = deployment.adapter({
    rpc: [
      { http: direct, provider: 'one' },
      { http: proxy.url, provider: 'one' },
    ],
  })
  await expect(same.confirmDeposit(claim, { agreeing: 2 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await two.stop()
  await same.stop()
})

const signedDeposit = async (id: Hex, value: bigint): Promise<Hex> => {
  const { privateKeyToAccount } = await import('viem/accounts')
  const nonce = Number(await deployment.chain.rpc<string>('eth_getTransactionCount', [user.address, 'latest']))
  const { to, data } = nativeDeposit(id, value)
  return privateKeyToAccount(user.privateKey).signTransaction({
    type: 'eip1559',
    chainId: deployment.chain.chainId,
    to: getAddress(to ?? ZERO_ADDRESS),
    data: data ?? '0x',
    value,
    nonce,
    gas: 200_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
}

/** Reads deposits through a node that is asked first, and an honest one. */
const besideProxy = (options: { readonly currencies?: readonly CurrencyConfig[] } = {}) =>
  deployment.adapter({
    ...options,
    rpc: [
      { http: proxy.url, provider: 'odd' },
      { http: deployment.chain.rpcUrl, provider: 'whole' },
    ],
  })

test.each<[string, string, FaultRule]>([
  ['has no newest block', 'eth_getBlockByNumber', { when: ([at]) => at === 'latest', rewrite: () => null }],
  ['gives blocks without a hash', 'eth_getBlockByNumber', { rewrite: (found) => ({ ...Object(found), hash: null }) }],
  ['gives logs as a text', 'eth_getLogs', { rewrite: () => 'strange' }],
  [
    'gives receipts without their logs’ data',
    'eth_getTransactionReceipt',
    {
      rewrite: (found) => ({ ...Object(found), logs: [{ address: null }] }),
    },
  ],
  ['lists what it does not show', 'eth_getTransactionReceipt', { rewrite: () => null }],
  [
    'lacks the blocks that it announces',
    'eth_getBlockByNumber',
    { when: ([at]) => at !== 'latest', rewrite: () => null },
  ],
  [
    'answers with another transaction',
    'eth_getTransactionReceipt',
    { rewrite: (found) => ({ ...Object(found), transactionHash: `0x${'ab'.repeat(32)}` }) },
  ],
  [
    'answers with another block',
    'eth_getBlockByNumber',
    { when: ([at]) => at !== 'latest', rewrite: (found) => ({ ...Object(found), number: '0x7fffffff' }) },
  ],
  ['wants another key', 'eth_getLogs', { error: { code: -32000, message: 'Unauthorized' } }],
  ['forbids', 'eth_getBlockByNumber', { httpStatus: 403 }],
])('F161, F162: a deposit is found by the next node where the first one %s', async (_, method, rule) => {
  const two = besideProxy()
  const reading = follow(two, await cursorAtTip())
  proxy.add(method, rule)
  const txId = await sendNow(nativeDeposit(newOrderId(), 31n))
  await expect.poll(() => of(reading, txId).length, { timeout: 15_000 }).toBe(1)
  await reading.stop()
  await two.stop()
  proxy.clear()
})

test('F161: a base fee that is null, and a transaction without a recipient, are read as absent', async () => {
  const reading = follow(proxied, await cursorAtTip())
  proxy.add('eth_getBlockByNumber', { rewrite: (found) => ({ ...Object(found), baseFeePerGas: null }) })
  proxy.add('eth_getTransactionByHash', {
    rewrite: (found) => {
      const { to: _, ...rest } = Object(found)
      return rest
    },
  })
  const txId = await sendNow(nativeDeposit(newOrderId(), 32n))
  await expect.poll(() => of(reading, txId).length).toBe(1)
  await reading.stop()
  proxy.clear()
})

const BY_ADDRESS_ONLY: FaultRule = {
  when: ([filter]) => Object(filter).address === undefined,
  error: {
    code: -32701,
    message: 'Please specify an address in your request or, to remove restrictions, order a dedicated full node here',
  },
}

const dollar = () => ({
  address: deployment.token,
  symbol: 'TUSD',
  name: 'Test Dollar',
  decimals: 6,
  groupId: 'tusd',
})

const heightNow = async () => BigInt(await deployment.chain.rpc<string>('eth_blockNumber'))

const count = (method: string) => proxy.calls.get(method) ?? 0

/** A token that no configuration names. */
const deployUnlisted = async () => {
  const token = await deployment.chain.deployToken({ name: 'Un', symbol: 'UN', decimals: 6, kind: 'no-return' })
  await deployment.chain.fund(user.address, 10n ** 9n, token)
  return token
}

test('F165: where nodes show logs by address only, deposits of every token are found by the receipts of blocks', async () => {
  const unlisted = await deployUnlisted()
  proxy.add('eth_getLogs', BY_ADDRESS_ONLY)
  const strict = deployment.adapter({ rpc: [{ http: proxy.url }], currencies: [dollar()] })
  const cursor = await cursorAtTip()
  const ids = [await sendNow(nativeDeposit(newOrderId(), 33n))]
  ids.push(await sendNow(bareTransfer(34n, newOrderId(), unlisted)))
  await deployment.chain.mine(100)
  ids.push(await sendNow(bareTransfer(35n, newOrderId(), unlisted)))
  const logs = count('eth_getLogs')
  const reading = follow(strict, cursor)
  await expect.poll(() => ids.map((id) => of(reading, id).length)).toEqual([1, 1, 1])
  const later = await sendNow(bareTransfer(36n, newOrderId(), unlisted))
  await expect.poll(() => of(reading, later).length).toBe(1)
  // Two filters are refused, once.
  expect(count('eth_getLogs') - logs).toBe(2)
  await reading.stop()
  await strict.stop()
  proxy.clear()
})

test('F165: far behind, or where receipts of blocks fail, configured tokens are found first, and others by the second reading', async () => {
  await sendNow(approve(deployment.token))
  const unlisted = await deployUnlisted()
  proxy.add('eth_getLogs', BY_ADDRESS_ONLY)
  proxy.add('eth_getBlockReceipts', { times: 2, error: { code: -32000, message: 'internal error' } })
  const options = { rescanMs: 500, pendingBlocks: 4 }
  const strict = deployment.adapter({ rpc: [{ http: proxy.url }], currencies: [dollar()], options })
  const cursor = await cursorAtTip()
  const hidden = await sendNow(bareTransfer(41n, newOrderId(), unlisted))
  const listed = await sendNow(tokenDeposit(deployment.token, 42n, newOrderId()))
  await deployment.chain.mine(300)
  const reading = follow(strict, cursor)
  await expect.poll(() => [listed, hidden].map((id) => of(reading, id).length), { timeout: 10_000 }).toEqual([1, 1])
  const [first] = reading.deposits
  expect(first?.tx.id).toBe(listed)
  await reading.stop()
  await strict.stop()
  proxy.clear()
})

test('F165: where nodes have no receipts of blocks either, deposits of configured tokens are found, in whole ranges', async () => {
  proxy.add('eth_getLogs', BY_ADDRESS_ONLY)
  proxy.add('eth_getBlockReceipts', { error: { code: -32601, message: 'the method is not available' } })
  const strict = deployment.adapter({ rpc: [{ http: proxy.url }], currencies: [dollar()] })
  const cursor = await cursorAtTip()
  await sendNow(approve(deployment.token))
  const ids = [await sendNow(nativeDeposit(newOrderId(), 33n))]
  ids.push(await sendNow(tokenDeposit(deployment.token, 34n, newOrderId())))
  await deployment.chain.mine(150)
  const [receipts, logs] = [count('eth_getBlockReceipts'), count('eth_getLogs')]
  const reading = follow(strict, cursor)
  await expect.poll(() => ids.map((id) => of(reading, id).length)).toEqual([1, 1])
  const height = await heightNow()
  await expect.poll(() => reading.pages.at(-1)?.height).toBe(height)
  // Two filters are refused once, and then a few ranges.
  expect(count('eth_getLogs') - logs).toBeLessThan(20)
  // One block is refused twice: the single node is asked again.
  expect(count('eth_getBlockReceipts') - receipts).toBeLessThanOrEqual(2)
  await reading.stop()
  await strict.stop()
  proxy.clear()
})
