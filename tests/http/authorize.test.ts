import {
  deployScriptedWallets,
  type FaultProxy,
  type ScriptedWallets,
  startFaultProxy,
} from '@causeway/chain-evm/testing'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi } from '../harness/apiCall.js'
import { until } from '../harness/until.js'
import { newWallet } from './dashboardSession.js'
import { type HttpWorld, leakIn, startHttpWorld } from './httpWorld.js'
import { HYPERLIQUID, MAPPED, type MappingBody, mappingBody, signMapping } from './nonceMapping.js'

const OLD = 'ee'.repeat(20)

let world: HttpWorld
/** Before the node of the first chain. */
let node: FaultProxy
let wallets: ScriptedWallets

/** A mapping of before, that nobody used. */
const storeOld = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into nonce_mappings (chain_id, wallet, nonce, id, depositor, kept, created_at)
     values ($1, decode($2, 'hex'), 1, decode(repeat('01', 32), 'hex'), decode($2, 'hex'), false, now() - interval '31 days')`,
    [HYPERLIQUID, OLD],
  )
  await client.end()
}

beforeAll(async () => {
  world = await startHttpWorld({
    plugins: () => ({ gasless: MAPPED, 'rate-limits': { storeTimeoutMs: 10_000 } }),
    rpcUrls: async ({ chains: [{ chain }] }) => {
      node = await startFaultProxy(chain.rpcUrl)
      return { [chain.chainId]: node.url }
    },
    databaseUrl: async (own) => {
      await storeOld(own)
      return own
    },
  })
  wallets = await deployScriptedWallets(world.network.chains[0].chain)
})
afterEach(() => node.clear())
afterAll(async () => {
  await world?.close()
  await node?.close()
})

const here = () => world.network.chains[0].chain.chainId
const there = () => world.network.chains[1].chain.chainId

const rowsOf = async ({ wallet }: Pick<MappingBody, 'wallet'>) =>
  (
    await world.database.pool.query<{ id: string }>(
      `select '0x' || encode(id, 'hex') as id from nonce_mappings where wallet = decode($1, 'hex')`,
      [wallet.slice(2)],
    )
  ).rows

/** By a key of its own unless told: calls of one key are counted together. */
const post = async (body: MappingBody, signature: string, apiKey?: string): Promise<ApiAnswer> => {
  const answer = await callApi(world.host.url, `/authorize?signature=${signature}`, {
    body,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  expect(leakIn(world, answer.text)).toBeNull()
  return answer
}

const expectRefusal = async (body: MappingBody, signature: string, says: string, apiKey: string): Promise<void> => {
  expect(await post(body, signature, apiKey)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(says) },
  })
  expect(await rowsOf(body)).toEqual([])
}

describe('POST /authorize of a contract wallet (wire.md 2.8, EIP-1271)', () => {
  it('is taken where the contract on the chain of the signature takes it, in both versions', async () => {
    const [key, { apiKey }] = [newWallet(), await world.host.createApiKey('contracts')]
    for (const version of ['2', '1'] as const) {
      const body = mappingBody(await wallets.make(key.address), here())
      expect((await post(body, await signMapping(key, body, { version }), apiKey)).status).toBe(200)
      expect(await rowsOf(body)).toEqual([{ id: body.id }])
    }
  })

  it('is refused of another key, of a chain where the address is nobody, and of one that is not configured', async () => {
    const [key, { apiKey }] = [newWallet(), await world.host.createApiKey('strangers')]
    const address = await wallets.make(key.address)
    const body = mappingBody(address, here())
    await expectRefusal(body, await signMapping(newWallet(), body), 'does not take it for its own', apiKey)
    const elsewhere = mappingBody(address, there())
    await expectRefusal(elsewhere, await signMapping(key, elsewhere), 'there is no contract wallet', apiKey)
    const unknown = mappingBody(address, 8453)
    await expectRefusal(unknown, await signMapping(key, unknown), 'cannot be asked here', apiKey)
  })

  it('while the chain cannot be asked it is 503 and nothing is stored, and wallets with a key go on', async () => {
    const [key, { apiKey }] = [newWallet(), await world.host.createApiKey('away')]
    const body = mappingBody(await wallets.make(key.address), here())
    const signature = await signMapping(key, body)
    node.add('eth_call', { httpStatus: 500 })
    expect((await post(body, signature, apiKey)).status).toBe(503)
    expect(await rowsOf(body)).toEqual([])
    const own = mappingBody(key.address, here())
    expect((await post(own, await signMapping(key, own), apiKey)).status).toBe(200)
    node.clear()
    expect((await post(body, signature, apiKey)).status).toBe(200)
  })
})

describe('limits of POST /authorize (wire.md H.1)', () => {
  it('5 calls a minute for one wallet, whoever makes them, and 20 of a key for all wallets', async () => {
    const [one, two] = [await world.host.createApiKey('one'), await world.host.createApiKey('two')]
    const key = newWallet()
    const ask = async (apiKey?: string) => {
      const body = mappingBody(key.address, here())
      return (await post(body, await signMapping(key, body), apiKey)).status
    }
    const statuses: number[] = []
    for (const apiKey of [one.apiKey, undefined, one.apiKey, undefined, two.apiKey]) statuses.push(await ask(apiKey))
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect([await ask(), await ask(two.apiKey)]).toEqual([429, 429])
    const found: number[] = []
    for (let call = 0; call < 20; call += 1) {
      const other = newWallet()
      const body = mappingBody(other.address, here())
      found.push((await post(body, await signMapping(other, body), one.apiKey)).status)
    }
    // Two of its calls were for the first wallet.
    expect(found.filter((status) => status === 200)).toHaveLength(18)
    expect(found.slice(18)).toEqual([429, 429])
  })
})

it('F133: a mapping of before that no deposit used is removed by whoever keeps the tables', async () => {
  await until('the mapping to be gone', async () => ((await rowsOf({ wallet: `0x${OLD}` })).length === 0 ? true : null))
})
