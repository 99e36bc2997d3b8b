import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../clock/clock.js'
import type { Currency } from '../currency/currency.js'
import type { Usd } from '../usd.js'
import { ONE_USD, parseUsd } from '../usdMath.js'
import { CheckedPrices } from './checkedPrices.js'
import { FilePriceSource } from './filePriceSource.js'
import type { PriceSource } from './priceSource.js'

const currency = (symbol: string, address = `0x${symbol}`): Currency => ({
  chainId: 1,
  address,
  symbol,
  name: symbol,
  decimals: 18,
  vmType: 'evm',
  groupId: symbol.toLowerCase(),
  metadata: { logoURI: '', verified: true, isNative: false },
})
const eth = currency('ETH')
const usdc = currency('USDC')

let now = 1_000_000_000
const clock: Clock = { now: () => now }

/** An oracle that says what it is told, and counts how often it is asked. */
const oracle = (answer: () => { usd: Usd; observedAt?: number } | null) => {
  const source = {
    name: 'oracle',
    asked: 0,
    getPrices: async (currencies: readonly Currency[]) => {
      source.asked++
      return currencies.map(() => {
        const price = answer()
        return price === null ? null : { observedAt: now, ...price }
      })
    },
  }
  return source satisfies PriceSource
}
const saying = (usd: string, ageMs = 0) => oracle(() => ({ usd: parseUsd(usd) ?? 0n, observedAt: now - ageMs }))
const down: PriceSource = { name: 'down', getPrices: () => Promise.reject(new Error('unreachable')) }
const checked = (...sources: PriceSource[]) => new CheckedPrices({ sources, clock })
const refused = { code: 'PRICE_FETCH_FAILED', retryable: true }

describe('CheckedPrices (F79)', () => {
  it.each([
    ['zero', [saying('0')]],
    ['negative', [saying('-1')]],
    ['an hour old', [saying('1', 3_600_000)]],
    ['an hour ahead', [saying('1', -3_600_000)]],
    ['30 % apart in two sources', [saying('1'), saying('1.3')]],
    ['zero in one of two sources', [saying('0'), saying('1')]],
    ['not to be had', [down]],
  ])('refuses a price that is %s with a retryable code', async (_what, sources) => {
    await expect(checked(...sources).get([eth])).rejects.toMatchObject(refused)
  })

  it('takes the lower median of sources that agree, past those that are down or stale', async () => {
    const prices = checked(saying('1.02'), down, saying('7', 3_600_000), saying('1'), saying('1.01'), saying('1.03'))
    const range = { low: ONE_USD, high: parseUsd('1.03') }
    await expect(prices.get([eth])).resolves.toMatchObject([{ usd: parseUsd('1.01'), range }])
  })

  it('F131: of several sources that know a currency two must have a fresh price, unless fewer are asked for', async () => {
    const unknown = oracle(() => null)
    const tooFew = { ...refused, message: expect.stringContaining('too few sources') }
    await expect(checked(saying('1'), down).get([eth])).rejects.toMatchObject(tooFew)
    await expect(checked(saying('1'), saying('1', 3_600_000)).get([eth])).rejects.toMatchObject(tooFew)
    await expect(checked(saying('1'), saying('1.01'), down).get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
    await expect(checked(saying('1'), unknown).get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
    const one = new CheckedPrices({ sources: [saying('1'), down], clock, minimumSources: 1 })
    await expect(one.get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
  })

  it('says so when no source knows the currency', async () => {
    await expect(checked(oracle(() => null)).get([eth])).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
    await expect(
      checked(
        oracle(() => null),
        down,
      ).get([eth]),
    ).rejects.toMatchObject(refused)
  })

  it('asks once for calls at the same time, again after the life of the answer, and never keeps a refusal', async () => {
    let usd = ONE_USD
    const source = oracle(() => ({ usd }))
    const prices = checked(source)
    await Promise.all([prices.get([eth, usdc]), prices.get([usdc, eth]), prices.get([eth])])
    expect(source.asked).toBe(1)
    now += 5_000
    usd = 0n
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    usd = 2n * ONE_USD
    await expect(prices.get([eth])).resolves.toMatchObject([{ usd }])
    now -= 60_000
    usd = 3n * ONE_USD
    await expect(prices.get([eth])).resolves.toMatchObject([{ usd }])
  })
})

describe('FilePriceSource', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prices-'))
    path = join(folder, 'prices.json')
  })
  afterEach(() => rm(folder, { recursive: true }))
  const source = () => new FilePriceSource({ path, clock })

  it('finds a price by chain and address, then group, then symbol', async () => {
    await writeFile(path, JSON.stringify({ '1:0xAB': '3', usdc: '2', ETH: '1', USDC: '9' }))
    const asked = [currency('ETH', '0xab'), usdc, eth, currency('DAI')]
    const prices = await source().getPrices(asked)
    expect(prices.map((price) => price && price.usd / ONE_USD)).toEqual([3n, 2n, 1n, null])
    expect(prices[0]?.observedAt).toBe(now)
  })

  it('reads the file again when it changes', async () => {
    await writeFile(path, '{"ETH":"1"}')
    const file = source()
    await file.getPrices([eth])
    await writeFile(path, '{"ETH":"2.5"}')
    await expect(file.getPrices([eth])).resolves.toMatchObject([{ usd: parseUsd('2.5') }])
  })

  it('names once for each version of the file what is no price above zero', async () => {
    const told: (readonly string[])[] = []
    const file = new FilePriceSource({ path, clock, onUnusable: (names) => told.push(names) })
    await writeFile(path, '{"ETH":"-2","USDC":"1","DAI":7}')
    for (let call = 0; call < 2; call += 1) await file.getPrices([eth, usdc])
    await writeFile(path, '{"ETH":"2000","USDC":"1","DAI":"1.0"}')
    await file.getPrices([eth])
    expect(told).toEqual([['ETH', 'DAI']])
  })

  it.each(['"NaN"', '1.5', '"1e3"', 'null', '"-2"'])('never lets %s become a price (F79)', async (value) => {
    await writeFile(path, `{"ETH":${value}}`)
    await expect(checked(source()).get([eth])).rejects.toMatchObject(refused)
  })

  it('is down when the file is missing or broken', async () => {
    await writeFile(path, '[1]')
    await expect(checked(source()).get([eth])).rejects.toMatchObject(refused)
    await unlink(path)
    await expect(checked(source()).get([eth])).rejects.toMatchObject(refused)
  })
})
