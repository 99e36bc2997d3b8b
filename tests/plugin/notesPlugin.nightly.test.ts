import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from '@causeway/core'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiAnswer, callApi, listAt, textAt, valueAt } from '../harness/apiCall.js'
import { balanceOnChain } from '../harness/database/books.js'
import { operatorToken } from '../harness/host/host.js'
import { type HostProcess, startHostProcess } from '../harness/host/hostProcess.js'
import { type LocalNetwork, type NetworkChain, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { freshAddress, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import { amountAt, microUsdAt, namesAt } from '../http/quoteAmounts.js'
import { hasChromium, signInWithToken, TestBrowser } from '../pages/browser.js'
import { installExample } from './installExample.js'

const FEE_MICRO_USD = 50_000n
const PEARL = 10n ** 18n
const SOLVER_PEARLS = 1_000n * PEARL
/** Not listed, and known to the example only. */
const NACRE = { address: `0x${'ab'.repeat(20)}`, symbol: 'NCR', name: 'Nacre of the deep', decimals: 9 }

type Pearls = NetworkChain & { readonly pearl: string }

let folder = ''
let network: LocalNetwork
let chains: readonly [Pearls, Pearls]
let database: TestDatabase
let host: HostProcess
let without: HostProcess

const withPearls = async (item: NetworkChain): Promise<Pearls> => {
  const pearl = await item.chain.deployToken({ name: 'Pearl', symbol: 'PRL', decimals: 18 })
  await item.chain.fund(network.roles.solver.address, SOLVER_PEARLS, pearl)
  await item.chain.fund(userOf(network, 0).address, SOLVER_PEARLS, pearl)
  const currency = { address: pearl, symbol: 'PRL', name: 'Pearl', decimals: 18, groupId: 'pearl' }
  return { ...item, pearl, currencies: [...item.currencies, currency] }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-plugin-'))
  ;[network, database] = await Promise.all([startLocalNetwork(), createTestDatabase({ packages: [] })])
  await installExample(folder)
  const [first, second] = network.chains
  chains = [await withPearls(first), await withPearls(second)]
  const common = { network: { ...network, chains }, databaseUrl: database.url }
  const options = { prices: { pearl: '0.25' }, tokens: [{ chainId: second.chain.chainId, ...NACRE }] }
  host = await startHostProcess({
    ...common,
    folder,
    morePlugins: [{ package: '@causeway/plugin-dashboard' }, { package: 'causeway-plugin-example', options }],
  })
  without = await startHostProcess({ ...common, roles: ['api'] })
  for (const body of [transfer(), pearls(1n)]) {
    await until('a quote', async () => ((await post('/quote', body)).status === 503 ? null : true))
  }
})
afterAll(async () => {
  for (const running of [host, without]) {
    running?.signal('SIGTERM')
    await running?.ended
  }
  await database?.drop()
  await network?.close()
  rmSync(folder, { recursive: true, force: true })
})

const post = (path: string, body: unknown, at = host): Promise<ApiAnswer> => callApi(at.url, path, { body })

/** A body that is quoted: 25 dollars from the first chain to the second. */
const transfer = (more: Readonly<Record<string, unknown>> = {}) => {
  const [from, to] = chains
  return {
    user: userOf(network, 0).address,
    recipient: freshAddress(),
    originChainId: from.chain.chainId,
    destinationChainId: to.chain.chainId,
    originCurrency: from.usdc,
    destinationCurrency: to.usdc,
    amount: '25000000',
    tradeType: 'EXACT_INPUT',
    ...more,
  }
}

const pearls = (count: bigint, more: Readonly<Record<string, unknown>> = {}) => {
  const [{ pearl: originCurrency }, { pearl: destinationCurrency }] = chains
  return transfer({ originCurrency, destinationCurrency, amount: (count * PEARL).toString(), ...more })
}

const quoted = async (body: unknown, path = '/quote', at = host): Promise<unknown> => {
  const answer = await post(path, body, at)
  expect([answer.status, valueAt(answer.body, 'message')]).toEqual([200, undefined])
  return answer.body
}

const refusal = async (body: unknown, at = host) => {
  const { status, body: answer } = await post('/quote', body, at)
  return { status, code: valueAt(answer, 'errorCode'), message: valueAt(answer, 'message') }
}

const stored = async () => {
  const { rows } = await database.pool.query<{ quotes: number; held: string; notes: number }>(
    `select (select count(*) from quotes)::int as quotes, (select count(*) from example_notes)::int as notes,
      (select coalesce(sum(amount), 0) from hold_slots)::text as held`,
  )
  return rows[0]
}

const stepIds = (answer: unknown) => listAt(answer, 'steps').map((step) => valueAt(step, 'id'))

describe('a field of a foreign plugin in a quote (architecture.md 5)', () => {
  it('adds a step before the deposit, a fee, and fields of the answer', async () => {
    const answer = await quoted(transfer({ note: 'for the boat' }))
    expect(namesAt(answer)).toEqual(['details', 'fees', 'notes', 'protocol', 'requestId', 'steps'])
    expect(valueAt(answer, 'notes')).toEqual({ endpoint: '/notes' })
    expect(valueAt(answer, 'details.note.text')).toBe('for the boat')
    expect([amountAt(answer, 'details.note.fee.amount'), microUsdAt(answer, 'details.note.fee.amountUsd')]).toEqual([
      FEE_MICRO_USD,
      FEE_MICRO_USD,
    ])
    expect(stepIds(answer)).toEqual(['authorize', 'approve', 'deposit'])
    const requestId = textAt(answer, 'requestId')
    expect(listAt(answer, 'steps')[0]).toEqual({
      id: 'authorize',
      action: 'Sign your note',
      description: expect.any(String),
      kind: 'signature',
      requestId,
      items: [
        {
          status: 'incomplete',
          data: {
            sign: { signatureKind: 'eip191', message: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
            post: { endpoint: `/notes/${requestId}/signature`, method: 'POST', body: {} },
          },
        },
      ],
    })
    // The client waits for the request at the deposit, not at the signature (wire.md 1.4).
    expect(valueAt(listAt(answer, 'steps').at(-1), 'items.0.check.method')).toBe('GET')
  })

  it.each(['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'])(
    'its fee keeps the identities: %s (D.2 to D.4)',
    async (tradeType) => {
      const amount = tradeType === 'EXACT_INPUT' ? '25000000' : '25000000000000000000'
      const plain = await quoted(transfer({ tradeType, amount }))
      const answer = await quoted(transfer({ tradeType, amount, note: 'x' }))
      const fee = (of: unknown, name: string) => amountAt(of, `fees.${name}.amount`)
      expect(fee(answer, 'relayer')).toBe(fee(answer, 'relayerGas') + fee(answer, 'relayerService'))
      expect(fee(answer, 'relayerService')).toBe(fee(plain, 'relayerService') + FEE_MICRO_USD)
      const usd = (path: string) => microUsdAt(answer, path)
      const part = (name: string) => usd(`details.expandedPriceImpact.${name}.usd`)
      const total = usd('details.totalImpact.usd')
      expect(total).toBe(usd('details.currencyOut.amountUsd') - usd('details.currencyIn.amountUsd'))
      expect(usd('details.swapImpact.usd')).toBe(total + usd('fees.relayer.amountUsd') + usd('fees.app.amountUsd'))
      expect(part('swap') + part('execution') + part('relay') + part('app')).toBe(total)
      expect(part('relay')).toBe(-FEE_MICRO_USD)
      expect(part('execution')).toBe(-(20_000n + usd('fees.relayerGas.amountUsd')))
      const moved = ['currencyIn', 'currencyOut'].map((name) => amountAt(answer, `details.${name}.amount`))
      expect(moved[tradeType === 'EXACT_INPUT' ? 0 : 1]).toBe(BigInt(amount))
    },
  )

  it('is priced, and writes nothing, by /price (wire.md 1.8)', async () => {
    const before = await stored()
    const [plain, answer] = [await quoted(transfer(), '/price'), await quoted(transfer({ note: 'x' }), '/price')]
    const service = 'fees.relayerService.amount'
    expect(amountAt(answer, service) - amountAt(plain, service)).toBe(FEE_MICRO_USD)
    expect([namesAt(answer), valueAt(answer, 'details.note')]).toEqual([['details', 'fees'], undefined])
    expect(await stored()).toEqual(before)
  })

  it('makes the solver carry what a user could otherwise send alone, or its fee would be lost', async () => {
    const [{ chain, usdc }] = chains
    const own = { destinationChainId: chain.chainId, destinationCurrency: usdc }
    expect(stepIds(await quoted(transfer(own)))).toEqual(['send'])
    const answer = await quoted(transfer({ ...own, note: 'x' }))
    expect(stepIds(answer)).toEqual(['authorize', 'approve', 'deposit'])
    expect(microUsdAt(answer, 'details.expandedPriceImpact.relay.usd')).toBe(-FEE_MICRO_USD)
  })

  it.each([7, '', 'x'.repeat(141)])('is checked by the schema of the plugin: %o', async (note) => {
    const { status, code, message } = await refusal(transfer({ note }))
    expect([status, code, message]).toEqual([400, 'INVALID_REQUEST', 'body.note must be a text of 1 to 140 characters'])
  })

  it('is absent when it is null (wire.md 0.1): no note, no step and no fee', async () => {
    const before = await stored()
    const [plain, answer] = [await quoted(transfer()), await quoted(transfer({ note: null }))]
    const service = 'fees.relayerService.amount'
    expect(amountAt(answer, service)).toBe(amountAt(plain, service))
    expect(namesAt(answer)).toEqual(['details', 'fees', 'protocol', 'requestId', 'steps'])
    expect([stepIds(answer), valueAt(answer, 'details.note')]).toEqual([['approve', 'deposit'], undefined])
    expect((await stored())?.notes).toBe(before?.notes)
  })
})

describe('what a foreign plugin writes beside a quote', () => {
  it('is there when the quote is, and its step and the transfer go through', async () => {
    const [origin, destination] = chains
    const user = userOf(network, 0)
    const body = transfer({ note: 'for the boat' })
    const answer = await quoted(body)
    const requestId = textAt(answer, 'requestId')
    const noteOf = async () => (await callApi(host.url, `/notes/${requestId}`)).body
    expect(await noteOf()).toEqual({ note: 'for the boat', author: user.address, signed: false })
    const [signing, ...paying] = listAt(answer, 'steps')
    await expect(sign(signing, userOf(network, 1).privateKey)).resolves.toMatchObject({ status: 400 })
    await expect(sign(signing, user.privateKey)).resolves.toMatchObject({ status: 200 })
    expect(await noteOf()).toMatchObject({ signed: true })
    for (const step of paying) {
      const to = textAt(step, 'items.0.data.to')
      const data = textAt(step, 'items.0.data.data') as Hex
      await receiptOf(origin.chain, await origin.chain.send(user, { to, data }))
    }
    const paid = await until('the payment', async () => {
      const held = await balanceOnChain(destination, body.recipient, destination.usdc)
      return held === 0n ? null : held
    })
    expect(paid).toBe(amountAt(answer, 'details.currencyOut.amount'))
  })

  const sign = async (step: unknown, key: Hex) => {
    const raw = textAt(step, 'items.0.data.sign.message') as Hex
    const signature = await privateKeyToAccount(key).signMessage({ message: { raw } })
    const { endpoint, method, body } = Object(valueAt(step, 'items.0.data.post'))
    return callApi(host.url, `${endpoint}?signature=${signature}`, { method, body })
  }

  it('is not there when the quote is refused for lack of liquidity', async () => {
    const before = await stored()
    expect(await refusal(pearls(2_000n, { note: 'first' }))).toMatchObject({
      status: 400,
      code: 'INSUFFICIENT_LIQUIDITY',
    })
    expect(await stored()).toEqual(before)
  })

  it('takes the quote and its hold with it when it fails', async () => {
    await database.pool.query("alter table example_notes add constraint quiet check (note <> 'loud')")
    const before = await stored()
    expect(await refusal(transfer({ note: 'loud' }))).toMatchObject({
      status: 500,
      message: expect.not.stringMatching(/quiet/),
    })
    expect(await stored()).toEqual(before)
  })
})

describe('what else a foreign plugin adds', () => {
  it('a price of an asset that no other source knows', async () => {
    const answer = await quoted(pearls(10n))
    expect(microUsdAt(answer, 'details.currencyIn.amountUsd')).toBe(2_500_000n)
    expect(await refusal(pearls(10n), without)).toMatchObject({ status: 400, code: 'UNSUPPORTED_CURRENCY' })
  })

  it('currencies that a search outside the catalogue finds (wire.md K.5 1)', async () => {
    const body = { term: 'nacre', useExternalSearch: true }
    const found = (at: HostProcess) => post('/currencies/v2', body, at)
    const { body: list } = await found(host)
    expect(list).toMatchObject([{ ...NACRE, chainId: chains[1].chain.chainId, vmType: 'evm' }])
    expect((await found(without)).body).toEqual([])
  })
})

describe.runIf(hasChromium)('a page that a foreign plugin adds', () => {
  it('stands in the navigation, and calls its operations as whoever is signed in', async () => {
    const quote = await quoted(transfer({ note: '<b>for the boat</b>' }))
    const browser = await TestBrowser.start()
    try {
      const { page, complaints } = await browser.open(host.url)
      await signInWithToken(page, await operatorToken(database.pool))
      await page.getByRole('link', { name: 'Notes' }).first().click()
      await page.getByLabel('Request id').fill(textAt(quote, 'requestId'))
      await page.getByRole('button', { name: 'Show the note' }).click()
      await page.getByText('<b>for the boat</b> (0x').waitFor()
      expect(new URL(page.url()).pathname).toBe('/dashboard/extensions/notes')
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

describe('without the plugin', () => {
  it('its field is unknown, named in a warning and changes nothing (wire.md 0.1)', async () => {
    const answer = await quoted(transfer({ note: 'for the boat' }), '/quote', without)
    expect(namesAt(answer)).toEqual(['details', 'fees', 'protocol', 'requestId', 'steps', 'warnings'])
    expect(valueAt(answer, 'warnings')).toEqual(['"note" is not a field of the body. It was ignored.'])
    const plain = await quoted(transfer(), '/quote', without)
    const service = 'fees.relayerService.amount'
    expect(amountAt(answer, service)).toBe(amountAt(plain, service))
    expect(stepIds(answer)).toEqual(['approve', 'deposit'])
    expect(valueAt(answer, 'details.note')).toBeUndefined()
    expect((await callApi(without.url, `/notes/${textAt(answer, 'requestId')}`)).status).toBe(404)
  })

  it('a field that changes the money is refused by its name', async () => {
    expect(await refusal(transfer({ topupGas: true }), without)).toMatchObject({
      status: 400,
      code: 'INVALID_REQUEST',
      message: 'body.topupGas is not supported by this deployment',
    })
  })
})
