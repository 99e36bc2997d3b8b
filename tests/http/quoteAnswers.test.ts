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
import { NATIVE, userOf } from '../harness/localNetwork.js'
import { type HttpWorld, nativeBody, postQuote, rowCounts, startHttpWorld } from './httpWorld.js'

const DEAD = '0x000000000000000000000000000000000000dead'
const LOGO = 'https://example.com/coral.png'

let world: HttpWorld

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

beforeAll(async () => {
  world = await startHttpWorld({ swaps: true })
})
afterAll(() => world?.close())

describe('an imported currency (wire.md K.5 1)', () => {
  const token = () => world.network.chains[0].unlisted ?? ''

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
