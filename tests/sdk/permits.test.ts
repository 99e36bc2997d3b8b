import { type Execute, getQuote } from '@relayprotocol/relay-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOLLARS, depositsUnder, gaslessUser, startGaslessWorld } from '../gasless/gaslessWorld.js'
import { textAt } from '../harness/apiCall.js'
import { balanceOnChain, findDiscrepancies, waitForQuiet } from '../harness/database/books.js'
import type { HttpWorld } from '../http/httpWorld.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let world: HttpWorld
/** Before the routes: what the client asks. */
let api: ApiProxy

beforeAll(async () => {
  world = await startGaslessWorld()
  api = await startApiProxy({ target: () => world.host.url })
  pointClientAt({ baseApiUrl: api.url, chains: world.network.chains.map(relayChainOf) })
})
afterAll(async () => {
  await api?.close()
  await world?.close()
})

interface Asked {
  readonly quote: Execute
  readonly wallet: ReturnType<typeof walletOn>
  readonly user: string
  readonly recipient: string
}

/** A quote of an account that holds dollars and no gas. */
const quoteFrom = async (from: 0 | 1, amount = DOLLARS[from]): Promise<Asked> => {
  const [origin, destination] = [world.network.chains[from], world.network.chains[from === 0 ? 1 : 0]]
  const user = await gaslessUser(origin, origin.usdc, amount)
  const wallet = walletOn(origin, user)
  const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: DOLLARS[from] }
  const parameters = routeOf(origin, destination, route, wallet)
  const quote = await getQuote({ ...parameters, options: { usePermit: true } }, true, {
    'x-api-key': world.host.apiKey,
  })
  return { quote, wallet, user: user.address, recipient: parameters.recipient }
}

const calls = (since: number) => api.calls.slice(since).map(({ method, path, status }) => `${method} ${path} ${status}`)

const expectPaid = async (from: 0 | 1, { quote, user, recipient }: Asked): Promise<void> => {
  const [origin, destination] = [world.network.chains[from], world.network.chains[from === 0 ? 1 : 0]]
  expect(await balanceOnChain(destination, recipient, destination.usdc)).toBe(
    BigInt(quote.details?.currencyOut?.amount ?? ''),
  )
  // CAST: an order id is hex.
  const orderId = textAt(quote, 'protocol.v2.orderId') as `0x${string}`
  expect(await depositsUnder(origin, orderId)).toMatchObject([{ from: user.toLowerCase(), amount: DOLLARS[from] }])
  expect(await origin.chain.rpc('eth_getTransactionCount', [user, 'latest'])).toBe('0x0')
}

describe('the unmodified public client with usePermit (wire.md A.2 Permit, A.4)', () => {
  it('signs, posts, asks, and ends in success', async () => {
    const from = 0
    const asked = await quoteFrom(from)
    const since = api.calls.length
    const done = await executeToEnd(asked)
    expect(done.error).toBeNull()
    for (const state of ['signing', 'posting']) expect(done.states).toContain(`authorize1: incomplete/${state}/-`)
    expect(done.states.at(-1)).toBe('authorize1: complete/complete/success')
    expect(done.result?.steps.map(({ id, kind: of }) => [id, of])).toEqual([['authorize1', 'signature']])
    const [posted, ...asking] = calls(since)
    expect(posted).toBe('POST /execute/permits 200')
    expect(new Set(asking)).toEqual(new Set(['GET /intents/status/v3 200']))
    const requestId = textAt(asked.quote, 'steps.0.requestId')
    expect(api.calls[since]).toMatchObject({ body: { kind: 'eip3009', requestId, api: 'bridge' } })
    expect(api.calls[since]?.query.get('signature')).toMatch(/^0x[0-9a-f]{130}$/)
    expect(done.result?.steps[0]?.items[0]?.txHashes).toHaveLength(1)
    await expectPaid(from, asked)
  })

  it('a signature that moves nothing is refused, and the client says why', async () => {
    const asked = await quoteFrom(0, 1n)
    const done = await executeToEnd(asked)
    expect(String(done.error)).toMatch(/The account holds 1 of the token, 25000000 was signed for/)
    expect(done.states.at(-1)).toMatch(/^authorize1: incomplete/)
  })
})

it('the books agree with both chains', async () => {
  await waitForQuiet(world.database.pool)
  expect(await findDiscrepancies(world.database.pool, world.network)).toEqual([])
})
