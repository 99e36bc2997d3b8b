import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callApi, textAt } from '../harness/apiCall.js'
import { newApiKey, runKeyCommand, startTestHost, type TestHost } from '../harness/host/host.js'
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { executeQuote, type QuoteAnswer } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { KEYS, signIn } from './dashboardSession.js'
import { type HttpWorld, nativeBody, startHttpWorld } from './httpWorld.js'

const SHOP = 'https://shop.example'
const THROWAWAY_KEYS = 10
const ADDRESSES = Array.from({ length: 10 }, (_, at) => `192.0.2.${at}`)
const CONNECTIONS = 20

let world: HttpWorld
/** Behind a proxy, so that callers have addresses, and with a key for a browser's origin. */
let host: TestHost
/** What the solver owns of the currency that is quoted. */
let inventory: bigint
const throwaway: { readonly id: string; readonly apiKey: string }[] = []

beforeAll(async () => {
  world = await startHttpWorld()
  const { network, database } = world
  const shop = await newApiKey(database.pool, 'shop')
  host = await startTestHost({
    ...{ network, database, http: { trustedProxies: ['127.0.0.1'], connectionsPerAddress: CONNECTIONS } },
    plugins: { 'api-keys': { proxy: { origins: [{ origin: SHOP, key: shop.id }] } } },
  })
  for (let count = 0; count < THROWAWAY_KEYS; count += 1) {
    const made = await callApi(host.url, KEYS, { body: {}, headers: await signIn(host.url) })
    throwaway.push({ id: textAt(made.body, 'id'), apiKey: textAt(made.body, 'apiKey') })
  }
  const { rows } = await database.pool.query<{ balance: string }>(
    'select balance from inventory where chain_id = $1 and currency = $2',
    [network.chains[1].chain.chainId, NATIVE],
  )
  inventory = BigInt(rows[0]?.balance ?? 0)
})
afterAll(async () => {
  await host?.stop()
  await world?.close()
})

/** Every test begins without holds. */
beforeEach(async () => {
  await world.database.pool.query('delete from hold_slots; delete from hold_callers')
})

interface Quoting {
  readonly address: string
  readonly apiKey?: string
  readonly origin?: string
  /** Thousandths of the inventory. */
  readonly thousandths: bigint
}

const quote = async ({ address, apiKey, origin, thousandths }: Quoting): Promise<string> => {
  const { status, body } = await callApi(host.url, '/quote', {
    body: nativeBody(world, { amount: ((inventory * thousandths) / 1000n).toString() }),
    headers: { 'x-forwarded-for': address, ...(origin === undefined ? {} : { origin }) },
    ...(apiKey === undefined ? {} : { apiKey }),
  })
  return status === 200 ? '200' : `${status} ${textAt(body, 'errorCode')}`
}

/** How many of three quotes are answered, one after another. */
const answered = async (quoting: Quoting): Promise<number> => {
  let count = 0
  for (let at = 0; at < 3; at += 1) if ((await quote(quoting)) === '200') count += 1
  return count
}

/** Thousandths of the inventory that live holds take. */
const held = async (): Promise<number> => {
  const { rows } = await world.database.pool.query<{ held: string }>(
    'select coalesce(sum(amount), 0)::text as held from hold_slots where currency = $1',
    [NATIVE],
  )
  return Number((BigInt(rows[0]?.held ?? 0) * 1000n) / inventory)
}

describe('F134: strangers who quote the whole inventory and never pay', () => {
  const SHARE = 250
  const attacks: Readonly<Record<string, () => readonly Quoting[]>> = {
    'keys of throwaway wallets': () =>
      throwaway.map(({ apiKey }) => ({ address: '192.0.2.1', apiKey, thousandths: 30n })),
    'a forged Origin of a page whose calls get a key': () =>
      ADDRESSES.map((address) => ({ address, origin: SHOP, thousandths: 30n })),
    'addresses without a key': () => ADDRESSES.map((address) => ({ address, thousandths: 30n })),
  }

  it.each(Object.keys(attacks))('%s hold no more than the shared part; others are quoted', async (name) => {
    for (const quoting of attacks[name]?.() ?? []) await quote(quoting)
    const found = {
      held: await held(),
      another: await answered({ address: '198.51.100.7', thousandths: 10n }),
      trusted: await answered({ address: '192.0.2.1', apiKey: host.apiKey, thousandths: 50n }),
    }
    expect(found).toEqual({ held: expect.any(Number), another: 3, trusted: 3 })
    expect(found.held).toBeLessThanOrEqual(SHARE)
  })

  it('addresses of one IPv6 network hold what one caller may', async () => {
    for (let at = 1; at <= 20; at += 1) await quote({ address: `2001:db8:1:2::${at}`, thousandths: 10n })
    const most = await held()
    expect(most).toBeGreaterThan(30)
    expect(most).toBeLessThanOrEqual(SHARE / 5)
  })

  it('a key holds all that is free once an operator vouches for it', async () => {
    const { id, apiKey } = throwaway[0] ?? { id: '', apiKey: '' }
    const large: Quoting = { address: '192.0.2.1', apiKey, thousandths: 600n }
    expect([await quote(large), await held()]).toEqual(['200', 0])
    await runKeyCommand(world.database.pool, 'api-keys trust', [id], {})
    await until('the host to know', async () => {
      await quote(large)
      return (await held()) > 500 ? true : null
    })
  })

  it('a key that strangers made holds what was filled through it, outside of their part', async () => {
    const { network, database } = world
    const { apiKey } = throwaway[1] ?? { apiKey: '' }
    const { body } = await callApi(host.url, '/quote', { body: nativeBody(world), apiKey })
    // CAST: the tests of the quote's shape check it.
    const given = body as QuoteAnswer
    await executeQuote(network.chains[0].chain, userOf(network, 0), given)
    await until('the fill', async () => {
      const { rows } = await database.pool.query<{ status: string }>(
        `select status from requests where id = decode($1, 'hex')`,
        [given.requestId.slice(2)],
      )
      return rows[0]?.status === 'success' ? true : null
    })
    const { rows } = await database.pool.query<{ same: boolean }>(
      `select p.amount = r.amount_out as same from hold_payments p join requests r on r.hold_holder = p.holder and r.id = decode($1, 'hex')`,
      [given.requestId.slice(2)],
    )
    expect(rows).toEqual([{ same: true }])
  })
})

it('one address that opens connections without end has as many as it may; calls of others are served all the while', async () => {
  const port = Number(new URL(host.url).port)
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  for (let at = 0; at < CONNECTIONS; at += 1) (await open()).write('GET /chains HTTP/1.1\r\n')
  const metric = async (line: RegExp) => line.test((await callApi(host.url, '/metrics')).text)
  for (let at = 0; at < 5; at += 1) await once((await open()).resume(), 'close')
  expect((await callApi(host.url, '/chains')).status).toBe(200)
  expect(await metric(/^causeway_http_connections_refused_total\{reason="address"\} 5$/m)).toBe(true)
  expect(await metric(/^causeway_http_connections (2[1-9]|[3-9]\d)$/m)).toBe(true)
  for (const socket of sockets) socket.destroy()
})
