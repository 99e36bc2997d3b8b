import 'reflect-metadata'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLOCK, systemClock } from '@causeway/core'
import { CHAINS, ChainRegistry, POOL } from '@causeway/core/plugin'
import currenciesPlugin from '@causeway/plugin-currencies'
import { container as rootContainer } from 'tsyringe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { type LocalNetwork, NATIVE, userOf } from '../harness/localNetwork.js'
import { createAuthority } from '../webhooks/certificates.js'
import { type Receiver, startReceiver } from '../webhooks/receiver.js'
import { trustingOptions } from '../webhooks/webhookWorld.js'
import { type HttpWorld, nativeBody, postQuote, rowCounts, startHttpWorld } from './httpWorld.js'

const DEAD = '0x000000000000000000000000000000000000dead'
const LOGO = 'https://example.com/coral.png'

let world: HttpWorld
let receiver: Receiver

/** As `causeway currencies import` does. */
const importCurrencies = async (entries: readonly object[]): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-import-'))
  const file = join(folder, 'currencies.json')
  writeFileSync(file, JSON.stringify(entries))
  const container = rootContainer.createChildContainer()
  container.registerInstance(POOL, world.database.pool)
  container.registerInstance(CLOCK, systemClock)
  container.registerInstance(CHAINS, new ChainRegistry([]))
  const options = { connections: 1, externalTimeoutMs: 1_000 }
  const [command] = currenciesPlugin.commands?.({ container, options }) ?? []
  await command?.run({ arguments: [file], options: {}, print: () => undefined })
  rmSync(folder, { recursive: true })
}

/** Tokens of a list by an untrusted party: right, with wrong decimals, of no contract, and one that the operator lists. */
const tokenList = ({ chains: [home, away] }: LocalNetwork) => {
  const token = (chainId: number, address: string | undefined, decimals: unknown) => ({
    ...{ chainId, address, decimals, symbol: 'TIDE', name: 'Tide of the list' },
    logoURI: LOGO,
  })
  return [
    token(home.chain.chainId, home.unlisted, 18),
    token(away.chain.chainId, away.unlisted, 6),
    token(home.chain.chainId, DEAD, 18),
    token(home.chain.chainId, home.usdc, 6),
    token(home.chain.chainId, home.unlisted, null),
  ]
}

beforeAll(async () => {
  const authority = await createAuthority()
  receiver = await startReceiver(await authority.issue(['127.0.0.1']))
  const search = { ...trustingOptions(authority), lists: [{ url: receiver.url }], timeoutMs: 15_000 }
  world = await startHttpWorld({
    swaps: true,
    plugins: (network) => {
      const list = JSON.stringify({ name: 'List', tokens: tokenList(network) })
      receiver.behave((_call, response) => void response.writeHead(200).end(list))
      return { 'currency-search': search, currencies: { externalTimeoutMs: 20_000 } }
    },
  })
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
})

const token = () => world.network.chains[0].unlisted ?? ''

describe('useExternalSearch with plugin-currency-search (wire.md 4.1, K.5 1)', () => {
  const body = { term: 'tide of', useExternalSearch: true }
  const found = () => ({
    chainId: world.network.chains[0].chain.chainId,
    address: token(),
    ...{ symbol: 'TIDE', name: 'Tide of the list', decimals: 18, vmType: 'evm' },
    metadata: { logoURI: LOGO, verified: false, isNative: false },
  })

  it('finds what a list names and the chain confirms, unverified; what the chain contradicts is left out', async () => {
    const v2 = await callApi(world.host.url, '/currencies/v2', { body })
    expect([v2.status, v2.body]).toEqual([200, [found()]])
    const v1 = await callApi(world.host.url, '/currencies/v1', { body })
    const group = { groupID: `${found().chainId}:${token()}` }
    expect([v1.status, v1.body]).toEqual([200, [[{ ...group, ...found() }]]])
    const named = await callApi(world.host.url, '/currencies/v2', { body: { ...body, term: token() } })
    // On the second chain the list is wrong about decimals: the token is as its own chain describes it.
    const second = { chainId: world.network.chains[1].chain.chainId, name: 'Tide', decimals: 18 }
    expect(named.body).toEqual([found(), { ...found(), ...second, metadata: { ...found().metadata, logoURI: '' } }])
    expect((await callApi(world.host.url, '/currencies/v2', { body: { term: 'tide' } })).body).toEqual([])
  })
})

describe('an imported currency (wire.md K.5 1)', () => {
  it('is quoted under its name, group and logo, and is no recipient', async () => {
    const { chainId } = world.network.chains[0].chain
    await importCurrencies([
      {
        chainId,
        address: token(),
        symbol: 'CORAL',
        name: 'Coral of the reef',
        decimals: 18,
        vmType: 'evm',
        groupID: 'coral',
        metadata: { logoURI: LOGO, verified: true },
      },
    ])
    const body = nativeBody(world, { originCurrency: token(), amount: (10n ** 18n).toString() })
    const { status, body: answer } = await postQuote(world, body)
    expect(status).toBe(200)
    const currency = {
      symbol: 'CORAL',
      name: 'Coral of the reef',
      decimals: 18,
      metadata: { logoURI: LOGO, verified: true },
    }
    expect(valueAt(answer, 'details.currencyIn.currency')).toMatchObject(currency)
    const found = await callApi(world.host.url, '/currencies/v2', { body: { address: token() } })
    expect(found.body).toMatchObject([currency])
    const outside = { term: 'tide of', useExternalSearch: true }
    expect((await callApi(world.host.url, '/currencies/v2', { body: outside })).body).toEqual([])
    const there = nativeBody(world, {
      originChainId: world.network.chains[1].chain.chainId,
      destinationChainId: chainId,
      recipient: token(),
    })
    expect(valueAt((await postQuote(world, there)).body, 'errorCode')).toBe('INVALID_RECIPIENT')
    const refunded = await postQuote(world, nativeBody(world, { refundTo: token() }))
    expect(valueAt(refunded.body, 'errorCode')).toBe('INVALID_ADDRESS')
  })
})

describe('a wallet that nobody has connected (wire.md 0.5)', () => {
  it.each(['/quote', '/quote/v2'])('%s: a price with nothing to execute; nothing is held or stored', async (path) => {
    const before = await rowCounts(world)
    const asked = [
      ...[{ user: DEAD }, { user: DEAD, recipient: undefined }],
      // The public client SDK sends this for a chain that it does not know.
      ...[{ user: NATIVE }, { user: NATIVE, recipient: undefined }, { user: NATIVE, recipient: NATIVE }],
    ]
    for (const more of asked) {
      const { status, body } = await postQuote(world, nativeBody(world, more), path, world.host.apiKey)
      expect([status, listAt(body, 'steps'), valueAt(body, 'protocol')]).toEqual([200, [], undefined])
      const unknown = await callApi(world.host.url, `/intents/status/v3?requestId=${textAt(body, 'requestId')}`)
      expect(unknown.status).toBe(404)
    }
    expect(await rowCounts(world)).toEqual(before)
  })

  it('an address without an owner is refused wherever money could follow (K.1 6)', async () => {
    const before = await rowCounts(world)
    const precompile = `0x${'1'.padStart(40, '0')}`
    const rows = [
      [{ user: precompile, recipient: undefined }, 'INVALID_ADDRESS'],
      [{ user: precompile, refundTo: userOf(world.network, 0).address }, 'INVALID_ADDRESS'],
      [{ recipient: precompile }, 'INVALID_RECIPIENT'],
      [{ recipient: NATIVE }, 'INVALID_RECIPIENT'],
      [{ recipient: DEAD }, 'INVALID_RECIPIENT'],
      [{ refundTo: precompile }, 'INVALID_ADDRESS'],
      [{ refundTo: DEAD }, 'INVALID_ADDRESS'],
    ] as const
    for (const [more, code] of rows) {
      const { status, body } = await postQuote(world, nativeBody(world, more))
      expect([more, status, valueAt(body, 'errorCode')]).toEqual([more, 400, code])
    }
    expect(await rowCounts(world)).toEqual(before)
  })
})

it('a chain whose swaps reach any token says so (wire.md 4.6 tokenSupport)', async () => {
  const { body } = await callApi(world.host.url, '/chains')
  expect(listAt(body, 'chains').map((chain) => valueAt(chain, 'tokenSupport'))).toEqual(['All', 'All'])
})
