import { type FaultProxy, type LocalAccount, startFaultProxy } from '@causeway/chain-evm/testing'
import { blockingTokenAbi } from '@causeway/contracts-abi'
import { type AdaptedWallet, adaptViemWallet, type Execute, getQuote } from '@relayprotocol/relay-sdk'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { callApi, valueAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE, type NetworkChain, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { type ApiProxy, type SeenCall, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

const SOURCE = 'shop.example'

let world: HttpWorld
let proxy: ApiProxy
/** Before the node of the second chain; the host sees the chain through it. */
let node: FaultProxy
let headers: Record<string, string>

beforeAll(async () => {
  world = await startHttpWorld({
    rpcUrls: async ({ chains: [, { chain }] }) => {
      node = await startFaultProxy(chain.rpcUrl)
      return { [chain.chainId]: node.url }
    },
  })
  proxy = await startApiProxy({ target: () => world.host.url, prefix: '/bridge/api' })
  headers = { 'x-api-key': world.host.apiKey }
  pointClientAt({ baseApiUrl: proxy.url, chains: world.network.chains.map(relayChainOf), source: SOURCE })
})
afterEach(async () => {
  node.clear()
  for (const { chain } of world.network.chains) await chain.setAutomine(true)
})
afterAll(async () => {
  await proxy?.close()
  await world?.close()
  await node?.close()
})

const requestIdOf = (quote: Execute): string => quote.steps.at(-1)?.requestId ?? ''
const callsTo = (path: string, since: number): readonly SeenCall[] =>
  proxy.calls.slice(since).filter((call) => call.path === path)

/** The calls after a quote: which paths, each once, in order. */
const pathsSince = (since: number): readonly string[] => [
  ...new Set(proxy.calls.slice(since).map(({ method, path }) => `${method} ${path}`)),
]

const CURRENCIES = [
  { name: 'native', symbol: 'ETH', whole: '0.02', steps: ['deposit'] },
  { name: 'ERC-20', symbol: 'USDC', whole: '25', steps: ['approve', 'deposit'] },
] as const

const addressOf = ({ currencies }: NetworkChain, symbol: string) => {
  const currency = currencies.find((item) => item.symbol === symbol)
  if (currency === undefined) throw new Error(`No ${symbol}`)
  return { address: currency.address, unit: 10n ** BigInt(currency.decimals) }
}

describe('a transfer by the unmodified public client, polling, under a path prefix (wire.md A.1 4, A.2, A.7)', () => {
  it.each(CURRENCIES)('$name: quoted with a key in the headers, paid, followed to success', async (kind) => {
    const [origin, destination] = world.network.chains
    const wallet = walletOn(origin, userOf(world.network, 0))
    const { address: currency, unit } = addressOf(origin, kind.symbol)
    const { address: toCurrency } = addressOf(destination, kind.symbol)
    const amount = (ether(kind.whole) * unit) / ether('1')
    const parameters = routeOf(origin, destination, { currency, toCurrency, amount }, wallet)
    const since = proxy.calls.length
    const quote = await getQuote(parameters, true, headers)
    expect(quote.steps.map(({ id }) => id)).toEqual(kind.steps)

    const done = await executeToEnd({ quote, wallet })
    expect(done.error).toBeNull()
    expect(done.result?.steps.flatMap(({ items }) => items.map(({ status }) => status))).toEqual(
      kind.steps.map(() => 'complete'),
    )
    const received = await balanceOnChain(destination, parameters.recipient, toCurrency)
    expect(received).toBe(BigInt(quote.details?.currencyOut?.amount ?? ''))
    await expectItems(done.result, origin, destination)
    expect(done.states[0]).toBe(`${kind.steps[0]}: incomplete/-/-`)
    expect(done.states.slice(-2)).toEqual(['deposit: incomplete/-/success', 'deposit: complete/complete/success'])
    for (const step of kind.steps) expect(done.states).toContain(`${step}: incomplete/confirming/-`)
    // The check of an approve is polled before the deposit is sent (wire.md 1.4).
    const [first, ...polled] = ['POST /quote/v2', 'POST /transactions/index', 'GET /intents/status/v3']
    expect(pathsSince(since)).toEqual([first, ...(kind.steps.length > 1 ? polled.toReversed() : polled)])
    await expectCalls(quote, origin, since)
  })

  /** Hashes of the last item, held against the service and the chains. */
  const expectItems = async (result: Execute | null, origin: NetworkChain, destination: NetworkChain) => {
    const item = result?.steps.at(-1)?.items[0]
    const [own] = item?.internalTxHashes ?? []
    const [fill, ...more] = item?.txHashes ?? []
    expect([own?.chainId, fill?.chainId, more]).toEqual([origin.chain.chainId, destination.chain.chainId, []])
    for (const [{ chain }, hash] of [
      [origin, own?.txHash],
      [destination, fill?.txHash],
    ] as const) {
      expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    }
  }

  /** What the client sent: its key only with the quote, its source with everything, and the hint of the deposit once. */
  const expectCalls = async (quote: Execute, origin: NetworkChain, since: number) => {
    const [asked] = callsTo('/quote/v2', since)
    expect([asked?.headers['x-api-key'], valueAt(asked?.body, 'referrer')]).toEqual([world.host.apiKey, SOURCE])
    const hints = callsTo('/transactions/index', since)
    expect(hints.map(({ status, body }) => [status, valueAt(body, 'chainId'), valueAt(body, 'referrer')])).toEqual([
      [200, String(origin.chain.chainId), SOURCE],
    ])
    const polls = callsTo('/intents/status/v3', since)
    expect(new Set(polls.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { query, headers: sent } of polls) {
      expect([query.get('requestId'), query.get('referrer')]).toEqual([requestIdOf(quote), SOURCE])
      expect(sent['x-api-key']).toBeUndefined()
    }
  }

  it('every state is seen in its order when the chains are slow (A.7)', async () => {
    const [origin, destination] = world.network.chains
    const wallet = walletOn(origin, userOf(world.network, 2))
    const route = { currency: NATIVE, toCurrency: NATIVE, amount: ether('0.01') }
    const quote = await getQuote(routeOf(origin, destination, route, wallet), true, headers)
    for (const { chain } of [origin, destination]) {
      await chain.setAutomine(false)
      await chain.setIntervalMining(0)
    }
    // The fill cannot be simulated, and so not be signed, until the node of the destination answers again.
    for (const method of ['eth_call', 'eth_estimateGas']) node.add(method, { drop: true })
    const states: string[] = []
    const running = executeToEnd({ quote, wallet }, (state) => states.push(state))
    const reached = (state: string) => until(state, async () => (states.includes(state) ? true : null))
    await reached('deposit: incomplete/validating/waiting')
    await origin.chain.mine()
    await reached('deposit: incomplete/-/pending')
    node.clear()
    await reached('deposit: incomplete/-/submitted')
    await destination.chain.setIntervalMining(1)
    const done = await running
    expect(done.error).toBeNull()
    // A second answer of the same word shows the item as validating again.
    expect(done.states.filter((state) => state !== 'deposit: incomplete/validating/submitted')).toEqual([
      'deposit: incomplete/-/-',
      'deposit: incomplete/confirming/-',
      'deposit: incomplete/validating/-',
      'deposit: incomplete/validating/waiting',
      'deposit: incomplete/-/pending',
      'deposit: incomplete/-/submitted',
      'deposit: incomplete/-/success',
      'deposit: complete/complete/success',
    ])
  })
})

describe('a wallet that sends approval and deposit as one batch (wire.md A.2)', () => {
  it('is followed to success without any hint: the hash it reports is none of the chain', async () => {
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 4)
    const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: 30_000_000n }
    const wallet = batchingWallet(origin, user)
    const parameters = routeOf(origin, destination, route, wallet)
    const since = proxy.calls.length
    const quote = await getQuote(parameters, true, headers)

    const done = await executeToEnd({ quote, wallet })
    expect(done.error).toBeNull()
    expect(done.states.at(-2)).toBe('approve-and-deposit: incomplete/-/success')
    expect(done.result?.steps[0]?.items.map(({ status }) => status)).toEqual(['complete', 'complete'])
    expect(pathsSince(since)).toEqual(['POST /quote/v2', 'GET /intents/status/v3'])
    const received = await balanceOnChain(destination, parameters.recipient, destination.usdc)
    expect(received).toBe(BigInt(quote.details?.currencyOut?.amount ?? ''))
  })

  /** Sends the items one after the other, and calls that a batch. */
  const batchingWallet = (origin: NetworkChain, user: LocalAccount): AdaptedWallet => ({
    ...adaptViemWallet(walletOn(origin, user)),
    supportsAtomicBatch: async () => true,
    handleBatchTransactionStep: async (_chainId, items) => {
      for (const { data } of items) {
        const sent = { to: data.to, data: data.data, value: BigInt(data.value ?? 0) }
        await receiptOf(origin.chain, await origin.chain.send(user, sent))
      }
      return 'bundle-1'
    },
  })
})

describe('a refund seen by the public client (wire.md A.3, A.7, B.1)', () => {
  it('the promise rejects as refunded, and the money is back', async () => {
    const [origin, destination] = world.network.chains
    const wallet = walletOn(origin, userOf(world.network, 3))
    const amount = ether('0.02')
    const parameters = routeOf(origin, destination, { currency: NATIVE, toCurrency: NATIVE, amount }, wallet)
    const refundTo = freshAddress()
    const options = { referrer: 'debug-force-refund', refundTo }
    const quote = await getQuote({ ...parameters, options }, true, headers)

    const done = await executeToEnd({ quote, wallet })
    expect(done.error).toMatchObject({ message: 'Transaction failed: Refunded' })
    expect(done.states.at(-1)).toMatch(/^deposit: incomplete\/(-|validating)\/refund$/)
    expect(done.updates.at(-1)?.refunded).toBe(true)
    expect(await balanceOnChain(destination, parameters.recipient, NATIVE)).toBe(0n)
    const back = await balanceOnChain(origin, refundTo, NATIVE)
    expect(back).toBeGreaterThan((amount * 9n) / 10n)
    expect(back).toBeLessThanOrEqual(amount)
  })
})

describe('a failure seen by the public client (wire.md A.3, K.2 4)', () => {
  it('the promise rejects at once, and nothing says that the money came back', async () => {
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 3)
    const wallet = walletOn(origin, user)
    const route = { currency: origin.blockable, toCurrency: destination.blockable, amount: 40_000_000n }
    const refundTo = freshAddress()
    const options = { referrer: 'debug-force-refund', refundTo }
    const quote = await getQuote({ ...routeOf(origin, destination, route, wallet), options }, true, headers)
    // From now on the token refuses the one who is to be refunded.
    const data = encodeFunctionData({ abi: blockingTokenAbi, functionName: 'block', args: [refundTo] })
    await receiptOf(origin.chain, await origin.chain.send(userOf(world.network, 5), { to: origin.blockable, data }))

    const done = await executeToEnd({ quote, wallet })
    expect(done.error).toMatchObject({ message: 'Transaction failed' })
    // `validating` stays where no poll came while the request was pending (wire.md A.7).
    expect(done.states.at(-1)).toMatch(/^deposit: incomplete\/(-|validating)\/failure$/)
    expect(done.updates.at(-1)?.refunded).toBe(false)
    const { body } = await callApi(world.host.url, `/intents/status/v3?requestId=${requestIdOf(quote)}`)
    expect(body).toMatchObject({ status: 'failure', refundFailReason: 'MANUAL_REFUND_REQUIRED' })
    // Other words would keep the client's signature flow polling.
    expect(valueAt(body, 'details') ?? 'Transaction failed').toMatch(/^Transaction failed/)
  })
})

describe('the books after all transfers', () => {
  it('agree with both chains', async () => {
    for (const { chain } of world.network.chains) await chain.setIntervalMining(1)
    await waitForQuiet(world.database.pool)
    expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
  })
})
