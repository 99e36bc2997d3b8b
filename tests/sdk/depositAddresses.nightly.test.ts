import { type Execute, getQuote } from '@relayprotocol/relay-sdk'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

const SOURCE = 'shop.example'

let world: HttpWorld
let proxy: ApiProxy
let headers: Record<string, string>

beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ realtime: {}, 'deposit-address': {} }) })
  proxy = await startApiProxy({ target: () => world.host.url, prefix: '/bridge/api' })
  headers = { 'x-api-key': world.host.apiKey }
  pointClient()
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await proxy?.close()
  await world?.close()
})

const pointClient = (websocketUrl?: string) =>
  pointClientAt({
    baseApiUrl: proxy.url,
    chains: world.network.chains.map(relayChainOf),
    source: SOURCE,
    ...(websocketUrl === undefined ? {} : { websocketUrl }),
  })

const routes = () => {
  const [origin, destination] = world.network.chains
  return {
    native: { currency: NATIVE, toCurrency: NATIVE, amount: ether('0.02') },
    'ERC-20': { currency: origin.usdc, toCurrency: destination.usdc, amount: 25_000_000n },
  }
}

type Kind = keyof ReturnType<typeof routes>
const KINDS: readonly Kind[] = ['native', 'ERC-20']

/** A quote for an address as an application asks for it, with the wallet that will pay or without. */
const addressQuote = async (
  kind: Kind,
  { user, options = {} }: { readonly user?: number; readonly options?: Readonly<Record<string, unknown>> } = {},
) => {
  const [origin, destination] = world.network.chains
  const wallet = walletOn(origin, userOf(world.network, user ?? 0))
  const route = routes()[kind]
  const { wallet: _unused, ...parameters } = routeOf(origin, destination, route, wallet)
  const asked = { ...parameters, options: { useDepositAddress: true, ...options } }
  const quote = await getQuote(user === undefined ? asked : { ...asked, wallet }, true, headers)
  const [step, ...others] = quote.steps
  const address = step?.depositAddress ?? ''
  expect([step?.id, step?.kind, others]).toEqual(['deposit', 'transaction', []])
  expect(address).toMatch(/^0x[0-9a-f]{40}$/)
  const received = () => balanceOnChain(destination, parameters.recipient, route.toCurrency)
  return { quote, wallet, route, address, received, promised: BigInt(quote.details?.currencyOut?.amount ?? '') }
}

type Asked = Awaited<ReturnType<typeof addressQuote>>

/** Some other wallet, that knows the address alone, pays to it. */
const payByHand = async ({ address, route }: Asked, amount: bigint): Promise<string> => {
  const [{ chain }] = world.network.chains
  const call =
    route.currency === NATIVE
      ? { to: address, value: amount }
      : {
          to: route.currency,
          // CAST: the quote's address, which the pattern above fits.
          data: encodeFunctionData({
            abi: erc20Abi,
            functionName: 'transfer',
            args: [address as `0x${string}`, amount],
          }),
        }
  const hash = await chain.send(userOf(world.network, 4), call)
  await receiptOf(chain, hash)
  return hash
}

/** What an application asks that executes nothing: the check of the quote's one item, by the client's own requests. */
const statusOf = async ({ quote }: Asked): Promise<Readonly<Record<string, unknown>>> => {
  const client = pointClient()
  const { endpoint } = quote.steps[0]?.items[0]?.check ?? {}
  const { data } = await client.utils.request({ url: `${client.baseApiUrl}${endpoint}`, method: 'get' })
  return data
}

const ended = (asked: Asked) =>
  until('the request to end', async () => {
    const status = await statusOf(asked)
    return ['success', 'failure', 'refund'].includes(String(status.status)) ? status : null
  })

const isSwept = async ({ address, route }: Asked): Promise<bigint> =>
  balanceOnChain(world.network.chains[0], address, route.currency)

describe('an address paid by the wallet of the unmodified public client (wire.md E.1, A.2, A.7)', () => {
  it.each(KINDS)('%s: one plain transfer, followed to success', async (kind) => {
    const asked = await addressQuote(kind, { user: 0 })
    const since = proxy.calls.length
    const { error, result, states } = await executeToEnd(asked)
    expect(error).toBeNull()
    const item = result?.steps[0]?.items[0]
    expect(item).toMatchObject({ status: 'complete', checkStatus: 'success' })
    expect(states[0]).toBe('deposit: incomplete/-/-')
    expect(states).toContain('deposit: incomplete/confirming/-')
    expect(states.at(-1)).toBe('deposit: complete/complete/success')
    expect(await asked.received()).toBe(asked.promised)
    expect(await isSwept(asked)).toBe(0n)
    const calls = proxy.calls.slice(since)
    expect([...new Set(calls.map(({ method, path }) => `${method} ${path}`))]).toEqual([
      'POST /transactions/index',
      'GET /intents/status/v3',
    ])
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]))
    await expectHashes(asked, item)
  })

  /** The client shows its own payment and the fill; the service tells of the sweep (E.4). */
  const expectHashes = async (asked: Asked, item: Execute['steps'][number]['items'][number] | undefined) => {
    const [origin, destination] = world.network.chains
    const [paid] = item?.internalTxHashes ?? []
    expect([paid?.chainId, item?.txHashes?.map(({ chainId }) => chainId)]).toEqual([
      origin.chain.chainId,
      [destination.chain.chainId],
    ])
    const payment = await origin.chain.rpc('eth_getTransactionByHash', [paid?.txHash])
    const { currency } = asked.route
    expect(payment).toMatchObject({ to: currency === NATIVE ? asked.address : currency })
    if (currency === NATIVE) expect(payment).toMatchObject({ input: '0x' })
    const { inTxHashes } = await statusOf(asked)
    expect(inTxHashes).toEqual([expect.not.stringMatching(String(paid?.txHash))])
  }

  it('a strict address that cannot be filled: the promise rejects as refunded, and the money is back', async () => {
    const refundTo = freshAddress()
    const options = { strict: true, refundTo, referrer: 'debug-force-refund' }
    const asked = await addressQuote('native', { user: 1, options })
    const { error, updates } = await executeToEnd(asked)
    expect(error).toMatchObject({ message: 'Transaction failed: Refunded' })
    expect(updates.at(-1)?.refunded).toBe(true)
    expect(await asked.received()).toBe(0n)
    expect(await balanceOnChain(world.network.chains[0], refundTo, NATIVE)).toBeGreaterThan(ether('0.018'))
  })

  it('by its websocket, without asking for the status once (A.8)', async () => {
    vi.stubGlobal('WebSocket', WebSocket)
    vi.stubGlobal('window', { WebSocket })
    pointClient(world.host.url.replace('http', 'ws'))
    const asked = await addressQuote('native', { user: 2 })
    const since = proxy.calls.length
    const { error, result } = await executeToEnd(asked)
    expect(error).toBeNull()
    expect(result?.steps[0]?.items[0]).toMatchObject({ status: 'complete', checkStatus: 'success' })
    expect(proxy.calls.slice(since).filter(({ path }) => path.startsWith('/intents/status'))).toEqual([])
    expect(await asked.received()).toBe(asked.promised)
  })
})

describe('an address paid by a wallet that the client does not have', () => {
  it('the check of its step reports its progress to success, and its address finds the record', async () => {
    const asked = await addressQuote('native')
    expect(await statusOf(asked)).toMatchObject({ status: 'waiting' })
    const paid = await payByHand(asked, asked.route.amount)
    const status = await ended(asked)
    expect(status).toMatchObject({ status: 'success', txHashes: [expect.any(String)] })
    expect(status.inTxHashes).not.toContain(paid)
    expect(await asked.received()).toBe(asked.promised)
    const client = pointClient()
    const { data } = await client.utils.request({
      url: `${client.baseApiUrl}/requests/v3`,
      method: 'get',
      params: { depositAddress: asked.address },
      headers,
    })
    expect(data).toMatchObject({
      requests: [
        {
          id: asked.quote.steps[0]?.requestId,
          status: 'success',
          depositAddress: { address: asked.address, type: 'open', depositTxHash: paid },
        },
      ],
    })
  })
})

it('the books agree with both chains', async () => {
  for (const { chain } of world.network.chains) await chain.setIntervalMining(1)
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
