import { type FaultProxy, startFaultProxy } from '@causeway/chain-evm/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { USUAL_PRICES } from '../harness/host/host.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { until } from '../harness/until.js'
import { type HttpWorld, leakIn, startHttpWorld } from './httpWorld.js'
import { COVE, PRIVATE_CHAIN } from './privateChain.js'
import { namesAt } from './quoteAmounts.js'

let world: HttpWorld
let node: FaultProxy

beforeAll(async () => {
  world = await startHttpWorld({
    rpcUrls: async ({ chains: [, { chain }] }) => {
      node = await startFaultProxy(chain.rpcUrl)
      return { [chain.chainId]: node.url }
    },
    moreChains: [COVE],
  })
})
afterAll(async () => {
  await world?.close()
  await node?.close()
})

const get = (path: string): Promise<ApiAnswer> => callApi(world.host.url, path)
const chainIds = () => world.network.chains.map(({ chain }) => chain.chainId)
const route = (more = '', path = '/config/v2'): Promise<ApiAnswer> => {
  const [origin, destination] = chainIds()
  return get(`${path}?originChainId=${origin}&destinationChainId=${destination}${more}`)
}

const refusal = (answer: ApiAnswer): readonly unknown[] => {
  expect(leakIn(world, answer.text)).toBeNull()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(textAt(answer.body, 'message')).not.toBe('')
  return [answer.status, namesAt(answer.body), valueAt(answer.body, 'code')]
}

const EVERYTHING = ['eth_blockNumber', 'eth_getBlockByNumber', 'eth_getBalance', 'eth_call', 'eth_getLogs']
const WRONG_IDS = ['', '0', '-1', '1.5', '0x1', 'base', '1e3', '99999999999999999999']

describe('GET /chains/liquidity (wire.md 4.7)', () => {
  it('shows what the solver really holds, priced, and may be kept for 15 s (wire.md 0.6)', async () => {
    const [, item] = world.network.chains
    const { chainId } = item.chain
    const { status, body, headers } = await get(`/chains/liquidity?chainId=${chainId}&referrer=x`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=15')
    const usd: Readonly<Record<string, bigint>> = { eth: 2000n, usdc: 1n, busd: 1n }
    const expected = await Promise.all(
      item.currencies.map(async ({ address, groupId, symbol, decimals }) => {
        const balance = await balanceOnChain(item, world.network.roles.solver.address, address)
        const micros = (balance * (usd[groupId] ?? 0n) * 1_000_000n) / 10n ** BigInt(decimals)
        const amountUsd = expect.stringMatching(new RegExp(`^${micros / 1_000_000n}\\.\\d{6}$`))
        return { chainId, currencyId: groupId, symbol, address, decimals, balance: balance.toString(), amountUsd }
      }),
    )
    expect(body).toEqual({ liquidity: expected })
  })

  it('needs a chain of the deployment; a private one is as unknown (wire.md K.3 8)', async () => {
    for (const id of WRONG_IDS) {
      const answer = await get(`/chains/liquidity?chainId=${id}`)
      expect([id, ...refusal(answer)]).toEqual([id, 400, ['message'], undefined])
    }
    for (const query of ['', '?chainId=1', `?chainId=${PRIVATE_CHAIN}`]) {
      expect(refusal(await get(`/chains/liquidity${query}`))).toEqual([400, ['message'], undefined])
    }
  })
})

describe('GET /chains/health (wire.md 4.8)', () => {
  it('is true for each chain and for all together once deposits are read', async () => {
    await until('healthy chains', async () =>
      valueAt((await get('/chains/health')).body, 'healthy') === true ? true : null,
    )
    for (const id of chainIds()) {
      const { status, body, headers } = await get(`/chains/health?chainId=${id}`)
      expect([status, body, headers.get('cache-control')]).toEqual([200, { healthy: true }, 'no-store'])
    }
  })

  it('an id that is none, unknown or private is 400 {message, code}', async () => {
    for (const id of WRONG_IDS) {
      expect([id, ...refusal(await get(`/chains/health?chainId=${id}`))]).toEqual([
        id,
        400,
        ['code', 'message'],
        'INVALID_REQUEST',
      ])
    }
    for (const id of [1, PRIVATE_CHAIN]) {
      const answer = await get(`/chains/health?chainId=${id}`)
      expect(refusal(answer)).toEqual([400, ['code', 'message'], 'UNSUPPORTED_CHAIN'])
    }
  })
})

describe('GET /config and /config/v2 (wire.md 4.9)', () => {
  it('sends every field, with real balances', async () => {
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 1).address
    const { status, body, headers } = await route(`&user=${user}&referrer=x`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const owned = await balanceOnChain(destination, world.network.roles.solver.address, NATIVE)
    const balance = await balanceOnChain(origin, user, NATIVE)
    expect(body).toEqual({
      enabled: true,
      user: { balance: balance.toString(), maxBridgeAmount: expect.stringMatching(/^[1-9]\d*$/) },
      solver: {
        address: world.network.roles.solver.address.toLowerCase(),
        balance: owned.toString(),
        capacityPerRequest: owned.toString(),
      },
      supportsExternalLiquidity: false,
      fee: expect.stringMatching(/^[1-9]\d*$/),
    })
    const most = BigInt(textAt(body, 'user.maxBridgeAmount'))
    const fee = BigInt(textAt(body, 'fee'))
    expect(most < balance - fee).toBe(true)
    expect(most > balance - fee - ether('0.1')).toBe(true)
    const first = await route(`&user=${user}`, '/config')
    expect(namesAt(first.body)).toEqual(['enabled', 'solver', 'supportsExternalLiquidity', 'user'])
    expect(valueAt(first.body, 'solver')).toEqual(valueAt(body, 'solver'))
  })

  it('counts each side in the decimals of its own chain, and never offers more than the solver has', async () => {
    const [origin, destination] = world.network.chains
    const user = userOf(world.network, 1).address
    // A busy machine's node may answer too late for a balance, which is an error of its own kind.
    const shown = async (query: string, path?: string) =>
      until('both balances', async () => {
        const answer = await route(query, path)
        return answer.status === 200 ? answer : null
      })
    const { body } = await shown(`&user=${user}&currency=usdc`)
    const balance = await balanceOnChain(origin, user, origin.usdc)
    const owned = await balanceOnChain(destination, world.network.roles.solver.address, destination.usdc)
    expect(valueAt(body, 'user.balance')).toBe(balance.toString())
    expect(valueAt(body, 'solver.balance')).toBe(owned.toString())
    // 6 decimals at the origin, 18 at the destination: the solver's share is far the smaller one.
    expect(valueAt(body, 'user.maxBridgeAmount')).toBe((owned / 10n ** 12n).toString())
    for (const address of [destination.usdc, origin.usdc.toUpperCase().replace('X', 'x')]) {
      const byAddress = await shown(`&user=${user}&currency=${address}`, '/config')
      expect(valueAt(byAddress.body, 'user')).toEqual(valueAt(body, 'user'))
    }
  })

  it('without a user shows none of its balance', async () => {
    const { body } = await route()
    expect(valueAt(body, 'user')).toEqual({ balance: '0', maxBridgeAmount: '0' })
  })

  it('refuses what is wrong, one parameter at a time, with {message, code}', async () => {
    const [origin, destination] = chainIds()
    const bad = 'INVALID_REQUEST'
    for (const path of ['/config', '/config/v2']) {
      for (const id of WRONG_IDS) {
        const first = await get(`${path}?originChainId=${id}&destinationChainId=${destination}`)
        const second = await get(`${path}?originChainId=${origin}&destinationChainId=${id}`)
        expect([id, ...refusal(first)]).toEqual([id, 400, ['code', 'message'], bad])
        expect([id, ...refusal(second)]).toEqual([id, 400, ['code', 'message'], bad])
      }
      expect(refusal(await get(path))).toEqual([400, ['code', 'message'], bad])
      for (const query of [
        `originChainId=1&destinationChainId=${destination}`,
        `originChainId=${origin}&destinationChainId=${PRIVATE_CHAIN}`,
      ]) {
        expect(refusal(await get(`${path}?${query}`))).toEqual([400, ['code', 'message'], 'UNSUPPORTED_CHAIN'])
      }
      for (const user of ['0x12', 'bc1qnothing', `0x${'zz'.repeat(20)}`]) {
        expect(refusal(await route(`&user=${user}`, path))).toEqual([400, ['code', 'message'], 'INVALID_ADDRESS'])
      }
      expect(refusal(await route('&user=', path))).toEqual([400, ['code', 'message'], bad])
    }
    for (const id of ['doge', 'USDC', NATIVE, '']) {
      expect(refusal(await route(`&currency=${id}`))).toEqual([400, ['code', 'message'], bad])
    }
    for (const address of ['usdc', `0x${'12'.repeat(20)}`]) {
      expect(refusal(await route(`&currency=${address}`, '/config'))).toEqual([
        400,
        ['code', 'message'],
        'UNSUPPORTED_CURRENCY',
      ])
    }
  })
})

describe('a currency without a price', () => {
  afterEach(() => world.host.setPrices(USUAL_PRICES))

  it('hides no other balance, and is 500 {message, code} where it is needed', async () => {
    const [, { chain }] = world.network.chains
    world.host.setPrices({ usdc: '1', busd: '1' })
    const bySymbol = async () => {
      const { body } = await get(`/chains/liquidity?chainId=${chain.chainId}`)
      return Object.fromEntries(
        listAt(body, 'liquidity').map((item) => [textAt(item, 'symbol'), textAt(item, 'amountUsd')]),
      )
    }
    const worth = await until('the price of ETH to be gone', async () => {
      const found = await bySymbol()
      return found.ETH === '0.000000' ? found : null
    })
    expect(worth.USDC).not.toBe('0.000000')
    const answer = await until('the rate kept before to be forgotten', async () => {
      const found = await route('&currency=usdc')
      return found.status === 200 ? null : found
    })
    expect(refusal(answer)).toEqual([500, ['code', 'message'], 'PRICE_FETCH_FAILED'])
    expect((await route('&currency=eth')).status).toBe(200)
  })
})

describe('a node that is away', () => {
  afterEach(() => node.clear())

  it('is 503 {message} for liquidity, 500 {message, code} for configuration, and not healthy', async () => {
    const [origin, destination] = chainIds()
    const user = userOf(world.network, 2).address
    for (const method of EVERYTHING) node.add(method, { drop: true })
    await until('the liquidity kept before to be forgotten', async () => {
      const answer = await get(`/chains/liquidity?chainId=${destination}`)
      if (answer.status === 200) return null
      expect(refusal(answer)).toEqual([503, ['message'], undefined])
      return true
    })
    const back = `/config/v2?originChainId=${destination}&destinationChainId=${origin}&user=${user}`
    expect(refusal(await get(back))).toEqual([500, ['code', 'message'], 'RPC_HTTP_ERROR'])
    await until('the chain to be called unhealthy', async () => {
      const { status, body } = await get(`/chains/health?chainId=${destination}`)
      expect(status).toBe(200)
      return valueAt(body, 'healthy') === false ? true : null
    })
    expect((await get(`/chains/health?chainId=${origin}`)).body).toEqual({ healthy: true })
    expect((await get('/chains/health')).body).toEqual({ healthy: false })
    expect(listAt((await get(`/chains/liquidity?chainId=${origin}`)).body, 'liquidity')).toHaveLength(3)
  })
})
