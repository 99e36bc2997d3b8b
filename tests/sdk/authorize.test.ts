import type { Execute } from '@relayprotocol/relay-sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueAt } from '../harness/apiCall.js'
import { userOf } from '../harness/localNetwork.js'
import { freshAddress } from '../harness/transfer.js'
import { type HttpWorld, startHttpWorld } from '../http/httpWorld.js'
import { HYPERLIQUID, MAPPED, mappingBody, signOf } from '../http/nonceMapping.js'
import { type ApiProxy, startApiProxy } from './apiProxy.js'
import { executeToEnd, pointClientAt, relayChainOf, walletOn } from './sdkClient.js'

const SOURCE = 'shop.example'
/** Of this deployment: clients sign what they receive. */
const DOMAIN = 'CausewayNonceMapping'
/** In the quote; the wallet is on another. */
const QUOTED_CHAIN = 1

let world: HttpWorld
let proxy: ApiProxy

beforeAll(async () => {
  world = await startHttpWorld({ plugins: () => ({ gasless: MAPPED }), nonceMappingDomain: DOMAIN })
  proxy = await startApiProxy({ target: () => world.host.url, prefix: '/bridge/api' })
  const [first] = world.network.chains
  const hyperliquid = { ...relayChainOf(first), id: HYPERLIQUID, name: 'Hyperliquid', displayName: 'Hyperliquid' }
  pointClientAt({ baseApiUrl: proxy.url, chains: [relayChainOf(first), hyperliquid], source: SOURCE })
})
afterAll(async () => {
  await proxy?.close()
  await world?.close()
})

/** The step of a quote whose origin is Hyperliquid, as chains.md has it (hypevm 3), without the transfer that follows. */
const quoteOf = (sender: string, body: ReturnType<typeof mappingBody>, name: string): Execute =>
  // CAST: as JSON, of which the client reads these fields.
  ({
    steps: [
      {
        id: 'authorize',
        action: 'Authorize the deposit',
        description: 'Sign which order the transfer is for',
        kind: 'signature',
        items: [
          {
            status: 'incomplete',
            data: {
              sign: { signatureKind: 'eip712', ...signOf(body, { name }) },
              post: { endpoint: '/authorize', method: 'POST', body },
            },
          },
        ],
      },
    ],
    details: { sender, recipient: freshAddress(), currencyIn: { currency: { chainId: HYPERLIQUID } } },
  }) as unknown as Execute

const execute = (name: string) => {
  const user = userOf(world.network, 0)
  const body = mappingBody(user.address, QUOTED_CHAIN)
  const wallet = walletOn(world.network.chains[0], user)
  return { body, execution: executeToEnd({ quote: quoteOf(user.address, body, name), wallet }) }
}

const storedIds = async () =>
  (
    await world.database.pool.query<{ id: string }>(`select '0x' || encode(id, 'hex') as id from nonce_mappings`)
  ).rows.map(({ id }) => id)

it('the unmodified public client signs on the chain of its wallet, posts what it signed, and goes on (wire.md 2.8, A.2)', async () => {
  const { body, execution } = execute(DOMAIN)
  const { error, result } = await execution
  expect(error).toBeNull()
  expect(result?.steps.flatMap(({ items }) => items?.map(({ status }) => status))).toEqual(['complete'])
  const call = proxy.calls.findLast(({ path }) => path === '/authorize')
  const signatureChainId = world.network.chains[0].chain.chainId
  expect(call).toMatchObject({ method: 'POST', status: 200, body: { ...body, signatureChainId, referrer: SOURCE } })
  expect(call?.query.get('signature')).toMatch(/^0x[0-9a-f]{130}$/)
  expect(valueAt(call?.body, 'signatureChainId')).not.toBe(QUOTED_CHAIN)
  expect(await storedIds()).toEqual([body.id])
})

it('what was not signed as this deployment has it is refused, and the client stops there', async () => {
  const before = await storedIds()
  const { execution } = execute('RelayNonceMapping')
  const { error } = await execution
  expect(String(valueAt(error, 'message'))).toContain("query.signature is not the wallet's for this body")
  expect(await storedIds()).toEqual(before)
})
