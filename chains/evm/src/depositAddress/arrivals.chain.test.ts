import {
  depositAddressFactoryAbi,
  fillRouterAbi,
  transferFloodAbi,
  transferFloodBytecode,
} from '@causeway/contracts-abi'
import type { Json } from '@causeway/core'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmAdapter } from '../adapter.js'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { encodeTransfer } from '../payout/contracts/staticCall.js'
import { type FaultProxy, startFaultProxy } from '../testing/node/faultProxy.js'
import type { LocalAccount } from '../testing/node/localChain.js'
import { sendMined } from '../testing/node/sendMined.js'
import { startTestDeployment, type TestDeployment } from '../testing/testDeployment.js'
import {
  type ArrivalReading,
  addressOf,
  capability,
  followArrivals,
  listed,
  liveSet,
  payPlainly,
  sweepNow,
  sweepPayout,
} from './addressWorld.test.support.js'

let deployment: TestDeployment
let proxy: FaultProxy
let adapter: EvmAdapter
let user: LocalAccount
/** Two tokens that log as many transfers as they are told. */
let floods: readonly [string, string]
const calls: string[] = []

beforeAll(async () => {
  deployment = await startTestDeployment(31_141)
  const { chain, token } = deployment
  user = chain.accounts[0] as LocalAccount
  proxy = await startFaultProxy(chain.rpcUrl)
  floods = [
    await chain.deploy(transferFloodAbi, transferFloodBytecode),
    await chain.deploy(transferFloodAbi, transferFloodBytecode),
  ]
  adapter = deployment.adapter({
    rpc: [{ http: proxy.url }],
    currencies: listed(token, ...floods),
    hooks: { onRpcCall: (method) => calls.push(method) },
  })
  await adapter.start(new AbortController().signal)
})
afterAll(async () => {
  await adapter?.stop()
  await proxy?.close()
  await deployment?.chain.close()
})

/** A cursor at the present tip, as a host would have stored it. */
const tip = async (): Promise<Json> => {
  const block = await deployment.chain.rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', ['latest', false])
  const number = BigInt(block.number).toString()
  return { number, hash: block.hash, ring: [[number, block.hash]] }
}

const height = async (): Promise<bigint> => BigInt(await deployment.chain.rpc<string>('eth_blockNumber'))

const readUpTo = async (reading: ArrivalReading, block: bigint) => {
  await expect.poll(() => reading.pages.at(-1)?.height ?? -1n, { timeout: 10_000 }).toBeGreaterThanOrEqual(block)
}

/** Runs calls in one transaction. */
const together = (items: readonly { readonly to: string; readonly data: Hex }[], value = 0n) => {
  const inner = items.map(({ to, data }) => ({ to: getAddress(to), data, value }))
  const args = [inner, ZERO_ADDRESS, 0n, user.address] as const
  const data = encodeFunctionData({ abi: fillRouterAbi, functionName: 'fillCalls', args })
  return { to: deployment.fillRouter, data, value: value * BigInt(items.length) }
}

/** A question for the logs of just these contracts. */
const isOf = (addresses: readonly string[]) => (params: readonly unknown[]) =>
  JSON.stringify(Reflect.get(Object(params[0]), 'address')) === JSON.stringify(addresses)

const flood = (to: string, count: bigint): Hex =>
  encodeFunctionData({ abi: transferFloodAbi, functionName: 'flood', args: [getAddress(to), count] })

test('wire.md E.4: an address is what the factory computes, and on another chain with the same contracts the same', async () => {
  const other = await startTestDeployment(31_142)
  try {
    expect(other.depositAddressFactory).toBe(deployment.depositAddressFactory)
    const address = addressOf(adapter, user.address)
    const args = [address.orderId, user.address] as const
    const data = encodeFunctionData({ abi: depositAddressFactoryAbi, functionName: 'computeDepositAddress', args })
    const call = { to: deployment.depositAddressFactory, data }
    const word = await deployment.chain.rpc<string>('eth_call', [call, 'latest'])
    expect(address.destination.address).toBe(`0x${word.slice(26)}`)
    expect(addressOf(other.adapter(), user.address, address.orderId)).toEqual(address)
  } finally {
    await other.chain.close()
  }
})

test('wire.md E.1: a payment is a plain transfer that says nothing of this service', async () => {
  const { token } = deployment
  const { destination: to } = addressOf(adapter, user.address)
  const dataOf = async (currency: string) => {
    const steps = await capability(adapter).buildPayment({ from: user.address, to, money: { currency, amount: 5n } })
    return steps.map(({ stepId, kind, data }) => ({ stepId, kind, data }))
  }
  const shared = { stepId: 'deposit', kind: 'transaction' }
  const call = { from: user.address, chainId: 31_141 }
  expect(await dataOf(ZERO_ADDRESS)).toMatchObject([
    { ...shared, data: { ...call, to: to.address, data: '0x', value: '5' } },
  ])
  expect(await dataOf(token)).toMatchObject([
    { ...shared, data: { ...call, to: token, data: encodeTransfer(to.address, 5n), value: '0' } },
  ])
})

test('without a factory there are no deposit addresses', () => {
  expect(deployment.adapter({ options: { depositAddressFactory: null } }).depositAddresses).toBeUndefined()
})

test('a watcher without a cursor begins at the tip', async () => {
  const address = addressOf(adapter, user.address)
  await payPlainly(deployment.chain, user, address, { currency: ZERO_ADDRESS, amount: 7n })
  await expect.poll(async () => (await adapter.tip()).height).toBe(await height())
  const reading = followArrivals(adapter, null, liveSet([address.destination.address]))
  await expect.poll(() => reading.pages.length).toBeGreaterThan(0)
  const second = await payPlainly(deployment.chain, user, address, { currency: ZERO_ADDRESS, amount: 8n })
  await readUpTo(reading, await height())
  await reading.stop()
  expect(reading.arrivals.map(({ tx }) => tx.id)).toEqual([second])
})

test('several payments of one block, and of one transaction, are arrivals of their own with places that stay', async () => {
  const { chain, token } = deployment
  const [one, two] = [addressOf(adapter, user.address), addressOf(adapter, user.address)]
  const from = await tip()
  await chain.setAutomine(false)
  const nonce = Number(await chain.rpc<string>('eth_getTransactionCount', [user.address, 'latest']))
  const to = one.destination.address
  const sent = [
    await chain.send(user, { to, value: 3n, nonce, gas: 21_000n }),
    await chain.send(user, { to, value: 4n, nonce: nonce + 1, gas: 21_000n }),
    await chain.send(user, { to: token, data: encodeTransfer(to, 5n), nonce: nonce + 2, gas: 100_000n }),
  ]
  const calls = [
    { to: floods[0], data: flood(to, 3n) },
    { to: floods[1], data: flood(to, 1n) },
    { to: floods[0], data: flood(two.destination.address, 1n) },
    { to: floods[0], data: flood(to, 1n) },
  ]
  const many = await chain.send(user, { ...together(calls), nonce: nonce + 3, gas: 500_000n })
  await chain.mine()
  await chain.setAutomine(true)
  const live = liveSet([to, two.destination.address])
  const shown: string[][] = []
  for (let run = 0; run < 2; run += 1) {
    const reading = followArrivals(adapter, from, live)
    await readUpTo(reading, await height())
    await reading.stop()
    shown.push(
      reading.arrivals.map(
        ({ tx, to: { address }, money: { currency, amount }, position }) =>
          `${[...sent, many].indexOf(tx.id as Hex)} ${address === to ? 'one' : 'two'} ${[ZERO_ADDRESS, token, ...floods].indexOf(currency)} ${amount} @${position}`,
      ),
    )
  }
  expect(shown[0]?.toSorted()).toEqual([
    '0 one 0 3 @0',
    '1 one 0 4 @0',
    '2 one 1 5 @0',
    '3 one 2 1 @0',
    '3 one 2 1 @1',
    '3 one 2 1 @2',
    '3 one 2 1 @3',
    '3 one 3 1 @0',
    '3 two 2 1 @0',
  ])
  expect(shown[1]).toEqual(shown[0])
})

test('faults.md F13, F19: nothing, what failed, and tokens of no configuration are no arrivals; the sender is who held the money', async () => {
  const { chain, token } = deployment
  const address = addressOf(adapter, user.address)
  const to = address.destination.address
  const strange = await chain.deployToken({ name: 'Strange', symbol: 'STR', decimals: 6 })
  await chain.fund(user.address, 10n, strange)
  const refusing = deployment.depository
  const from = await tip()
  await payPlainly(chain, user, address, { currency: ZERO_ADDRESS, amount: 0n })
  await payPlainly(chain, user, address, { currency: token, amount: 0n })
  await payPlainly(chain, user, address, { currency: strange, amount: 5n })
  // It takes no plain value, which went back.
  const failed = await chain.send(user, { to: refusing, value: 9n, gas: 50_000n })
  await expect.poll(() => chain.rpc('eth_getTransactionReceipt', [failed])).toMatchObject({ status: '0x0' })
  const last = await payPlainly(chain, user, address, { currency: token, amount: 6n })
  const reading = followArrivals(adapter, from, liveSet([to, refusing]))
  await readUpTo(reading, await height())
  await reading.stop()
  expect(reading.arrivals.map(({ tx, sender }) => [tx.id, sender])).toEqual([[last, user.address]])
})

test('what a contract pays within a transaction is no arrival, and holdings tell of it', async () => {
  const { chain } = deployment
  const address = addressOf(adapter, user.address)
  const from = await tip()
  await sendMined(chain, user, together([{ to: address.destination.address, data: '0x' }], 11n))
  const reading = followArrivals(adapter, from, liveSet([address.destination.address]))
  await readUpTo(reading, await height())
  await reading.stop()
  expect(reading.arrivals).toEqual([])
  expect(await capability(adapter).holdings([address], [ZERO_ADDRESS])).toEqual([
    [{ currency: ZERO_ADDRESS, amount: 11n }],
  ])
})

test('an arrival that leaves the chain and comes back in another block is told again there', async () => {
  const { chain } = deployment
  const address = addressOf(adapter, user.address)
  const reading = followArrivals(adapter, await tip(), liveSet([address.destination.address]))
  const hash = await payPlainly(chain, user, address, { currency: ZERO_ADDRESS, amount: 5n })
  const raw = await chain.rpc<Hex>('eth_getRawTransactionByHash', [hash])
  await expect.poll(() => reading.arrivals.length).toBe(1)
  await chain.reorg(1)
  await chain.mine()
  await expect.poll(() => reading.pages.some(({ rewoundTo }) => rewoundTo !== null)).toBe(true)
  // The node may have put it into the next block by itself.
  await chain.rpc('eth_sendRawTransaction', [raw]).catch(() => undefined)
  await expect.poll(() => reading.arrivals.length).toBe(2)
  await reading.stop()
  const [first, again] = reading.arrivals
  expect([again?.tx, again?.position]).toEqual([first?.tx, first?.position])
  expect(again?.block?.hash).not.toBe(first?.block?.hash)
  const rewound = reading.pages.find(({ rewoundTo }) => rewoundTo !== null)?.rewoundTo ?? 0n
  expect(rewound).toBeLessThan(first?.block?.height ?? 0n)
})

test('after a day away it catches up in pages, all arrivals once', async () => {
  const { chain } = deployment
  const address = addressOf(adapter, user.address)
  const from = await tip()
  const sent: string[] = []
  for (let part = 0; part < 3; part += 1) {
    sent.push(await payPlainly(chain, user, address, { currency: ZERO_ADDRESS, amount: 1n }))
    await chain.mine(70)
  }
  const reading = followArrivals(adapter, from, liveSet([address.destination.address]))
  await readUpTo(reading, await height())
  await reading.stop()
  expect(reading.arrivals.map(({ tx }) => tx.id)).toEqual(sent)
  expect(reading.pages.every(({ arrivals = [] }) => arrivals.length <= 1)).toBe(true)
})

test('a block costs the same requests with 10,000 live addresses as with 10, and with none what its deposits cost', async () => {
  const { chain } = deployment
  let whole = 0
  const isWhole = (params: readonly unknown[]) => {
    if (params[1] === true) whole += 1
    return false
  }
  proxy.add('eth_getBlockByNumber', { when: isWhole })
  const block = async (count: number, quotes: readonly string[] = []) => {
    const addresses = Array.from({ length: count }, () => addressOf(adapter, user.address).destination.address)
    await chain.mine(1)
    await expect.poll(async () => (await adapter.tip()).height).toBe(await height())
    const reading = followArrivals(adapter, null, liveSet(addresses, quotes))
    await expect.poll(() => reading.pages.length).toBe(1)
    calls.length = 0
    whole = 0
    const next = (await height()) + 1n
    await chain.mine(1)
    await readUpTo(reading, next)
    await reading.stop()
    const logs = calls.filter((method) => method === 'eth_getLogs').length
    const receipts = calls.filter((method) => method === 'eth_getTransactionReceipt').length
    return { whole, logs, receipts }
  }
  try {
    expect(await block(0)).toEqual({ whole: 0, logs: 2, receipts: 0 })
    expect(await block(0, ['send'])).toEqual({ whole: 1, logs: 2, receipts: 0 })
    expect(await block(10)).toEqual({ whole: 1, logs: 3, receipts: 0 })
    expect(await block(10_000)).toEqual({ whole: 1, logs: 3, receipts: 0 })
  } finally {
    proxy.clear()
  }
})

test('an address that is given while blocks are read by their logs misses nothing, from the block of its first payment on', async () => {
  const { chain, token } = deployment
  const live = liveSet([])
  const reading = followArrivals(adapter, await tip(), live)
  try {
    for (const currency of [ZERO_ADDRESS, token]) {
      live.given.addresses.clear()
      await live.refresh()
      await chain.mine(1)
      await readUpTo(reading, await height())
      const address = addressOf(adapter, user.address)
      // Known to the watcher only once it has read the block of the payment.
      live.given.addresses.add(address.destination.address)
      const paid = await payPlainly(chain, user, address, { currency, amount: 5n })
      await readUpTo(reading, await height())
      expect(reading.arrivals.at(-1)).toMatchObject({ tx: { id: paid }, money: { currency, amount: 5n } })
    }
    expect(reading.arrivals).toHaveLength(2)
  } finally {
    await reading.stop()
  }
})

test('a deposit that a sweep made is in no page before what came to its address', async () => {
  const { chain } = deployment
  const address = addressOf(adapter, user.address)
  const from = await tip()
  const money = { currency: ZERO_ADDRESS, amount: 1_000n }
  await payPlainly(chain, user, address, money)
  await sweepNow(adapter, deployment, sweepPayout(deployment, address, money))
  // Behind, all in one page; and block by block.
  for (const range of [2_000, 1]) {
    const own = deployment.adapter({ options: { maxLogRange: range } })
    await own.start(new AbortController().signal)
    const reading = followArrivals(own, from, liveSet([address.destination.address]))
    await readUpTo(reading, await height())
    await reading.stop()
    await own.stop()
    const arrived = reading.pages.findIndex(({ arrivals = [] }) => arrivals.length > 0)
    const deposited = reading.pages.findIndex(({ deposits }) =>
      deposits.some((item) => item.orderId === address.orderId),
    )
    expect(arrived).toBeGreaterThanOrEqual(0)
    expect(deposited).toBeGreaterThanOrEqual(arrived)
  }
})

test('faults.md F132: a block whose transfers a node refuses to list is read in parts, and none is left out', async () => {
  const { chain, token } = deployment
  const address = addressOf(adapter, user.address)
  const to = address.destination.address
  const from = await tip()
  const sent = [
    await payPlainly(chain, user, address, { currency: token, amount: 1n }),
    (await sendMined(chain, user, { to: floods[0], data: flood(to, 2n) })).transactionHash,
  ]
  const refused = { code: -32005, message: 'query returned more than 10000 results' }
  proxy.add('eth_getLogs', { error: refused, when: isOf([token, ...floods]) })
  proxy.add('eth_getLogs', { error: refused, when: isOf([floods[0]]) })
  try {
    const reading = followArrivals(adapter, from, liveSet([to]))
    await readUpTo(reading, await height())
    await reading.stop()
    expect(reading.arrivals.map(({ tx }) => tx.id)).toEqual([sent[0], sent[1], sent[1]])
  } finally {
    proxy.clear()
  }
})

test('faults.md F107: transfers that a node shows a block late are found with the next page, once', async () => {
  const { chain, token } = deployment
  const address = addressOf(adapter, user.address)
  const reading = followArrivals(adapter, await tip(), liveSet([address.destination.address]))
  await readUpTo(reading, await height())
  proxy.add('eth_getLogs', { times: 1, result: () => [], when: isOf([token, ...floods]) })
  try {
    const late = await payPlainly(chain, user, address, { currency: token, amount: 1n })
    await readUpTo(reading, await height())
    expect(reading.arrivals).toEqual([])
    await chain.mine(1)
    await expect.poll(() => reading.arrivals.map(({ tx }) => tx.id)).toEqual([late])
    await chain.mine(1)
    await readUpTo(reading, await height())
    expect(reading.arrivals).toHaveLength(1)
  } finally {
    await reading.stop()
    proxy.clear()
  }
})

test('when an endpoint stops answering, arrivals and holdings come from the next', async () => {
  const { chain, token } = deployment
  const own = await startFaultProxy(chain.rpcUrl)
  const other = deployment.adapter({ rpc: [{ http: own.url }, { http: chain.rpcUrl }], currencies: listed(token) })
  await other.start(new AbortController().signal)
  const address = addressOf(other, user.address)
  const reading = followArrivals(other, await tip(), liveSet([address.destination.address]))
  try {
    await readUpTo(reading, await height())
    for (const method of ['eth_getBlockByNumber', 'eth_getLogs', 'eth_call']) own.add(method, { drop: true })
    const paid = await payPlainly(chain, user, address, { currency: token, amount: 6n })
    await expect.poll(() => reading.arrivals.map(({ tx }) => tx.id)).toEqual([paid])
    expect(await capability(other).holdings([address], [token])).toEqual([[{ currency: token, amount: 6n }]])
  } finally {
    await reading.stop()
    await other.stop()
    await own.close()
  }
})

test('F161: an endpoint that lacks receipts is passed over: neither transfers nor native payments count as absent', async () => {
  const { chain, token } = deployment
  const own = await startFaultProxy(chain.rpcUrl)
  const other = deployment.adapter({ rpc: [{ http: own.url }, { http: chain.rpcUrl }], currencies: listed(token) })
  await other.start(new AbortController().signal)
  const address = addressOf(other, user.address)
  const from = await tip()
  own.add('eth_getLogs', { error: { code: -32005, message: 'query returned more than 10000 results' } })
  own.add('eth_getTransactionReceipt', { rewrite: () => null })
  const sent = [
    await payPlainly(chain, user, address, { currency: token, amount: 6n }),
    await payPlainly(chain, user, address, { currency: ZERO_ADDRESS, amount: 7n }),
  ]
  const reading = followArrivals(other, from, liveSet([address.destination.address]))
  try {
    await readUpTo(reading, await height())
    expect(reading.arrivals.map(({ tx }) => tx.id)).toEqual(sent)
  } finally {
    await reading.stop()
    await other.stop()
    await own.close()
  }
})

test('holdings of a thousand addresses are one call, and the same where a node runs no code in another place', async () => {
  const { chain, token } = deployment
  const addresses = Array.from({ length: 1_000 }, () => addressOf(adapter, user.address))
  const [first, last] = [addresses[0], addresses[999]]
  if (first === undefined || last === undefined) throw new Error('No addresses')
  await payPlainly(chain, user, first, { currency: token, amount: 3n })
  await payPlainly(chain, user, last, { currency: ZERO_ADDRESS, amount: 4n })
  await payPlainly(chain, user, last, { currency: token, amount: 5n })
  // A currency that is no contract holds nobody else up.
  const currencies = [token, `0x${'ee'.repeat(20)}`, ZERO_ADDRESS]
  calls.length = 0
  const held = await capability(adapter).holdings(addresses, currencies)
  expect(calls.filter((method) => method === 'eth_call')).toHaveLength(2)
  expect(held[0]).toEqual([{ currency: token, amount: 3n }])
  expect(held[999]).toEqual([
    { currency: token, amount: 5n },
    { currency: ZERO_ADDRESS, amount: 4n },
  ])
  expect(held.filter((money) => money.length > 0)).toHaveLength(2)
  const overrides = (params: readonly unknown[]) => params.length > 2
  proxy.add('eth_call', { error: { code: -32602, message: 'too many arguments' }, when: overrides })
  try {
    const some = [...addresses.slice(0, 20), last]
    expect(await capability(adapter).holdings(some, currencies)).toEqual([...held.slice(0, 20), held[999]])
  } finally {
    proxy.clear()
  }
})
