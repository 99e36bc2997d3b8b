import { claimAppFees, fastFill, getAppFees, getQuote } from '@relayprotocol/relay-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOnChain } from '../harness/database/books.js'
import { userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { endOfClaim, startAppFeeWorld } from '../http/appFeeWorld.js'
import type { HttpWorld } from '../http/httpWorld.js'
import { sponsoredIntegrator } from '../sponsorship/sponsorWorld.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, routeOf, walletOn } from './sdkClient.js'

let world: HttpWorld
/** Adds a key, as the server of an application does: the client sends its own to the hosted service alone. */
let keyed: ApiProxy | undefined
beforeAll(async () => {
  world = await startAppFeeWorld({ sponsorship: {}, 'fast-fill': {} })
})
afterAll(async () => {
  await keyed?.close()
  await world?.close()
})

const point = (baseApiUrl: string) => pointClientAt({ baseApiUrl, chains: world.network.chains.map(relayChainOf) })

it('the unmodified public client quotes with an app fee, reads the balance and claims it with one signature (wire.md A.4)', async () => {
  point(world.host.url)
  const [origin, destination] = world.network.chains
  const partner = userOf(world.network, 3)
  const wallet = walletOn(origin, userOf(world.network, 0))
  const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: 200_000_000n }
  const appFees = [{ recipient: partner.address, fee: '100' }]
  const parameters = routeOf(origin, destination, route, wallet)
  const headers = { 'x-api-key': world.host.apiKey }
  const quote = await getQuote({ ...parameters, options: { ...parameters.options, appFees } }, true, headers)
  expect(quote.fees?.app?.amount).toBe('2000000')
  expect((await executeToEnd({ quote, wallet })).error).toBeNull()

  const balances = await until('the fee to be settled', async () => {
    const found = await getAppFees({ wallet: partner.address })
    return found?.[0]?.amount === '2000000' ? found : null
  })
  expect(balances).toMatchObject([
    { currency: { symbol: 'USDC', chainId: origin.chain.chainId }, amountUsd: '2.000000' },
  ])

  const recipient = freshAddress()
  const { data } = await claimAppFees({
    wallet: walletOn(origin, partner),
    chainId: origin.chain.chainId,
    currency: origin.usdc,
    recipient,
    disableCapabilitiesCheck: true,
  })
  expect(data.steps.flatMap(({ items }) => items?.map(({ status }) => status))).toEqual(['complete'])
  await endOfClaim(world, partner.address)
  // All of it, less what the claim costs the network.
  const paid = await balanceOnChain(origin, recipient, origin.usdc)
  expect(paid).toBeLessThan(2_000_000n)
  expect(paid).toBeGreaterThan(1_000_000n)
  expect(await getAppFees({ wallet: partner.address })).toEqual([])
})

it('the same client has a quote filled ahead of its deposit, by a proxy that adds the key (wire.md 2.9)', async () => {
  const { apiKey } = await sponsoredIntegrator(world, 'fast', { user: 4, balance: 100_000_000n })
  keyed = await startApiProxy({ target: () => world.host.url, prefix: '/relay', apiKey })
  point(keyed.url)
  const [origin, destination] = world.network.chains
  const wallet = walletOn(origin, userOf(world.network, 0))
  const route = { currency: origin.usdc, toCurrency: destination.usdc, amount: 50_000_000n }
  const recipient = freshAddress()
  const parameters = { ...routeOf(origin, destination, route, wallet), recipient }
  const quote = await getQuote(parameters, true)
  const requestId = quote.steps[0]?.requestId ?? ''
  expect(await fastFill({ requestId, solverInputCurrencyAmount: '50000000' })).toEqual({
    message: 'The fill is queued',
  })
  await until('the fill', async () =>
    (await balanceOnChain(destination, recipient, destination.usdc)) > 0n ? true : null,
  )
  expect((await executeToEnd({ quote, wallet })).error).toBeNull()
  await expect(fastFill({ requestId: `0x${'ab'.repeat(32)}` })).rejects.toMatchObject({ statusCode: 404 })
})
