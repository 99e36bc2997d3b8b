import { type Execute, getQuote } from '@relayprotocol/relay-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { startTcpProxy, type TcpProxy } from '../harness/tcpProxy.js'
import { until } from '../harness/until.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let world: HttpWorld
/** Before the routes: what the client asks. */
let api: ApiProxy
/** Before the websocket alone, to be cut. */
let wire: TcpProxy

/** What the websockets of the client heard. */
let heard: { readonly type?: string; readonly event?: string; readonly data: { readonly status?: string } }[] = []

class HeardSocket extends WebSocket {
  constructor(url: string) {
    super(url)
    this.on('message', (data) => heard.push(JSON.parse(data.toString())))
  }
}

beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ realtime: {} }) })
  api = await startApiProxy({ target: () => world.host.url })
  const { hostname: host, port } = new URL(world.host.url)
  wire = await startTcpProxy({ host, port: Number(port) })
  pointClientAt({
    baseApiUrl: api.url,
    chains: world.network.chains.map(relayChainOf),
    websocketUrl: `ws://127.0.0.1:${wire.port}`,
  })
  // Node 20 has no WebSocket of its own, and the client looks for that of a browser; made where there is one it would also name its page.
  vi.stubGlobal('WebSocket', HeardSocket)
  vi.stubGlobal('window', { WebSocket: HeardSocket })
})
beforeEach(() => {
  heard = []
})
afterEach(async () => {
  for (const { chain } of world.network.chains) await chain.setAutomine(true)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await wire?.cut()
  await api?.close()
  await world?.close()
})

const statuses = () => heard.flatMap(({ event, data }) => (event === 'request.status.updated' ? [data.status] : []))
const polls = (since: number) => api.calls.slice(since).filter(({ path }) => path.startsWith('/intents/status'))

interface Asked {
  readonly quote: Execute
  readonly wallet: ReturnType<typeof walletOn>
  readonly recipient: string
}

const quoteOf = async (user: number): Promise<Asked> => {
  const [origin, destination] = world.network.chains
  const wallet = walletOn(origin, userOf(world.network, user))
  const route = { currency: NATIVE, toCurrency: NATIVE, amount: ether('0.02') }
  const parameters = routeOf(origin, destination, route, wallet)
  const quote = await getQuote(parameters, true, { 'x-api-key': world.host.apiKey })
  return { quote, wallet, recipient: parameters.recipient }
}

const received = ({ recipient }: Asked) => balanceOnChain(world.network.chains[1], recipient, NATIVE)
const promised = ({ quote }: Asked) => BigInt(quote.details?.currencyOut?.amount ?? '')

/** Executes with the origin held still, and lets it go when `meanwhile` is over. */
const executeHeld = async (asked: Asked, meanwhile: () => Promise<void>) => {
  const [{ chain }] = world.network.chains
  await chain.setAutomine(false)
  const running = executeToEnd(asked)
  await until('the subscription', async () => (heard.some(({ type }) => type === 'subscribe') ? true : null))
  await meanwhile()
  await chain.setIntervalMining(1)
  return running
}

describe('the unmodified public client with its websocket on (wire.md A.8)', () => {
  it('follows a transfer to success without asking for its status once', async () => {
    const asked = await quoteOf(0)
    const since = api.calls.length
    const done = await executeHeld(asked, async () => undefined)
    expect(done.error).toBeNull()
    expect(done.result?.steps.at(-1)?.items[0]).toMatchObject({ status: 'complete', checkStatus: 'success' })
    expect(done.states.at(-1)).toBe('deposit: complete/complete/success')
    expect(done.result?.steps.at(-1)?.items[0]?.txHashes).toHaveLength(1)
    expect(await received(asked)).toBe(promised(asked))
    expect(statuses()).toEqual(['pending', 'submitted', 'success'])
    expect(polls(since)).toEqual([])
  })
})

describe('the websocket is killed in the middle: the client asks instead (wire.md A.8)', () => {
  afterEach(() => wire.restore())

  it('and learns of the success', async () => {
    const asked = await quoteOf(2)
    const since = api.calls.length
    const done = await executeHeld(asked, () => wire.cut())
    expect(done.error).toBeNull()
    expect(done.result?.steps.at(-1)?.items[0]).toMatchObject({ status: 'complete', checkStatus: 'success' })
    expect(statuses()).toEqual([])
    expect(polls(since).length).toBeGreaterThan(0)
    expect(await received(asked)).toBe(promised(asked))
  })
})

it('the books agree with both chains', async () => {
  for (const { chain } of world.network.chains) await chain.setIntervalMining(1)
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
