import { getQuote } from '@relayprotocol/relay-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain } from '../harness/database/books.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let world: HttpWorld

beforeAll(async () => {
  world = await startHttpWorld({ swaps: true })
  pointClientAt({ baseApiUrl: world.host.url, chains: world.network.chains.map(relayChainOf) })
})
afterAll(() => world?.close())

const chainsOf = () => {
  const [origin, destination] = world.network.chains
  return { origin, destination, coral: origin.unlisted ?? '' }
}

/** Wire.md A.2: what the client reports of one chain, and that it ends by the status of the service. */
it.each([
  [
    'a swap on one chain',
    () => ({ to: chainsOf().origin, give: NATIVE, get: chainsOf().origin.usdc, amount: ether('0.05') }),
  ],
  [
    'a token swapped on one chain',
    () => ({ to: chainsOf().origin, give: chainsOf().coral, get: NATIVE, amount: ether('20') }),
  ],
  [
    'a send',
    () => ({ to: chainsOf().origin, give: chainsOf().origin.usdc, get: chainsOf().origin.usdc, amount: 3_000_000n }),
  ],
  [
    'a swap before the deposit',
    () => ({
      to: chainsOf().destination,
      give: chainsOf().coral,
      get: chainsOf().destination.usdc,
      amount: ether('30'),
    }),
  ],
])('the unmodified client carries out %s', async (_what, make) => {
  const { to, give, get, amount } = make()
  const { origin } = chainsOf()
  const wallet = walletOn(origin, userOf(world.network, 3))
  const parameters = routeOf(origin, to, { currency: give, toCurrency: get, amount }, wallet)
  const quote = await getQuote(parameters, true, { 'x-api-key': world.host.apiKey })
  const { error, result } = await executeToEnd({ quote, wallet })
  expect(error).toBeNull()
  expect(result?.steps.at(-1)?.items[0]).toMatchObject({ status: 'complete' })
  const least = BigInt(quote.details?.currencyOut?.minimumAmount ?? '0')
  expect(least).toBeGreaterThan(0n)
  expect(await balanceOnChain(to, parameters.recipient, get)).toBeGreaterThanOrEqual(least)
})
