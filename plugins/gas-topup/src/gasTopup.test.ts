import { type Currency, ServiceError } from '@causeway/core'
import type { PriceSource } from '@causeway/core/chain'
import { CheckedPrices } from '@causeway/core/host'
import { parseUsd, type QuoteDraft, validator } from '@causeway/core/plugin'
import { describe, expect, it } from 'vitest'
import { GasTopupBody, gasTopup } from './gasTopup.js'
import { type GasTopupOptions, readSettings } from './options.js'

const OPTIONS: GasTopupOptions = { usualUsd: '2', minimumUsd: '0.01', maximumUsd: '50' }

const currency = (symbol: string, address: string, decimals: number): Currency => ({
  chainId: 8,
  address,
  symbol,
  name: symbol,
  decimals,
  vmType: 'evm',
  groupId: symbol.toLowerCase(),
  metadata: { logoURI: '', verified: true, isNative: symbol === 'ETH' },
})
const ETHER = currency('ETH', `0x${'0'.repeat(40)}`, 18)
const DOLLAR = currency('USDC', `0x${'c2'.repeat(20)}`, 6)
/** One unit of it is worth more than anybody brings along. */
const COARSE = { ...ETHER, decimals: 0 }

const pricesAt = (text: string | null) => {
  const source: PriceSource = {
    name: 'fixed',
    getPrices: async (currencies) =>
      currencies.map(() => (text === null ? null : { usd: parseUsd(text) ?? 0n, observedAt: Date.now() })),
  }
  return new CheckedPrices({ sources: [source], clock: { now: Date.now } })
}

interface World {
  readonly price: string | null
  readonly currency: Currency
  readonly native: Currency
  readonly capable: boolean
}

const draftOf = (body: object, world: Partial<World> = {}): QuoteDraft => {
  const { price = '3000', currency: wanted = DOLLAR, native = ETHER, capable = true } = world
  const chain = { config: { id: 8 }, adapter: { capabilities: { gasTopup: capable } } }
  const prices = pricesAt(price)
  const draft: Partial<QuoteDraft> = {
    // CAST: a body is whatever came; the extension reads its own fields.
    body: body as QuoteDraft['body'],
    // CAST: all that the extension asks of a chain.
    destination: chain as unknown as QuoteDraft['destination'],
    destinationCurrency: wanted,
    destinationNative: native,
    topup: 0n,
    feeLines: [],
    prices: (currencies) => prices.get(currencies),
  }
  // CAST: as above.
  return draft as QuoteDraft
}

/** What the quote plugin does with a body: the schema, then the phase. */
const applied = async (body: Readonly<Record<string, unknown>>, world: Partial<World> = {}, options = OPTIONS) => {
  const extension = gasTopup(readSettings(options))
  const draft = draftOf(body, world)
  validator(extension.bodySchema, 'body')(body)
  await extension.apply(draft, body)
  return { draft, details: extension.details?.(draft) }
}

describe('what comes along (wire.md G.1)', () => {
  it.each([
    { asked: undefined, amount: '666666666666666', usd: '2.000000' },
    { asked: '2000000', amount: '666666666666666', usd: '2.000000' },
    { asked: '1000000', amount: '333333333333333', usd: '1.000000' },
    { asked: '10000', amount: '3333333333333', usd: '0.010000' },
    { asked: '50000000', amount: '16666666666666666', usd: '50.000000' },
  ])('$asked millionths of a dollar are $amount wei at 3000 dollars, rounded down', async ({ asked, amount, usd }) => {
    const more = asked === undefined ? {} : { topupGasAmount: asked }
    const { draft, details } = await applied({ topupGas: true, ...more })
    expect(draft.topup).toBe(BigInt(amount))
    expect(details).toEqual({
      currencyGasTopup: {
        currency: expect.objectContaining({ symbol: 'ETH', chainId: 8, vmType: 'evm' }),
        amount,
        amountFormatted: expect.stringMatching(/^0\.0/),
        amountUsd: usd,
        minimumAmount: amount,
      },
    })
    expect(draft.feeLines).toEqual([])
  })

  it('is what the operator set where a quote names no amount', async () => {
    const { draft } = await applied({ topupGas: true }, {}, { ...OPTIONS, usualUsd: '3' })
    expect(draft.topup).toBe(10n ** 15n)
  })

  it.each([{}, { topupGas: false }])('is nothing for %o', async (body) => {
    // Nothing is asked of a chain or a price that has no part in it.
    const { draft, details } = await applied(body, { capable: false, price: null, currency: ETHER })
    expect(draft.topup).toBe(0n)
    expect(details).toEqual({})
  })

  it('is told of the quote that asked for it, not of another', async () => {
    const extension = gasTopup(readSettings(OPTIONS))
    const body = { topupGas: true }
    await extension.apply(draftOf(body), body)
    expect(extension.details?.(draftOf({}))).toEqual({})
  })
})

describe('what is refused', () => {
  const topupGas = true
  it.each([
    { name: 'a text for the flag', body: { topupGas: 'yes' }, message: /body.topupGas/ },
    { name: 'a number', body: { topupGas, topupGasAmount: 1_000_000 }, message: /topupGasAmount must be the text of/ },
    { name: 'a fraction', body: { topupGas, topupGasAmount: '1.5' }, message: /topupGasAmount must be the text of/ },
    { name: 'a negative amount', body: { topupGas, topupGasAmount: '-1' }, message: /topupGasAmount/ },
    { name: 'an exponent', body: { topupGas, topupGasAmount: '1e6' }, message: /topupGasAmount/ },
    { name: 'digits without end', body: { topupGas, topupGasAmount: '9'.repeat(79) }, message: /topupGasAmount/ },
    { name: 'nothing', body: { topupGas, topupGasAmount: '0' }, message: /from 10000 to 50000000/ },
    { name: 'under the least', body: { topupGas, topupGasAmount: '9999' }, message: /from 10000 to 50000000/ },
    { name: 'over the most', body: { topupGas, topupGasAmount: '50000001' }, message: /from 10000 to 50000000/ },
    { name: 'the largest text', body: { topupGas, topupGasAmount: '9'.repeat(78) }, message: /from 10000/ },
    { name: 'a chain that cannot', body: { topupGas }, world: { capable: false }, message: /not supported on chain 8/ },
    { name: 'the native currency', body: { topupGas }, world: { currency: ETHER }, message: /ETH pays the gas/ },
    { name: 'less than a unit', body: { topupGas }, world: { native: COARSE }, message: /smallest unit/ },
  ])('$name', async ({ body, world = {}, message }) => {
    const failure = await applied(body, world).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ServiceError)
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringMatching(message) })
  })

  it('a native currency without a price that can be trusted (faults.md F79)', async () => {
    await expect(applied({ topupGas }, { price: '0' })).rejects.toMatchObject({ code: 'PRICE_FETCH_FAILED' })
    await expect(applied({ topupGas }, { price: null })).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
  })

  it.each([
    { ...OPTIONS, minimumUsd: '0' },
    { ...OPTIONS, minimumUsd: '3' },
    { ...OPTIONS, maximumUsd: '1' },
    { ...OPTIONS, maximumUsd: '1000.01' },
  ])('options that leave no room: %o', (options) => {
    expect(() => readSettings(options)).toThrow('@causeway/plugin-gas-topup')
  })
})

it('names no default in its schema: a default would be filled into every body', () => {
  const body = {}
  validator(GasTopupBody, 'body')(body)
  expect(body).toEqual({})
})
