import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../clock/clock.js'
import type { Currency } from '../currency/currency.js'
import { ONE_USD } from '../usdMath.js'
import { CheckedPrices, type CheckedPricesDeps } from './checkedPrices.js'
import type { PriceAnswer, PriceSource } from './priceSource.js'

const currency = (symbol: string): Currency => ({
  chainId: 1,
  address: `0x${symbol}`,
  symbol,
  name: symbol,
  decimals: 18,
  vmType: 'evm',
  groupId: symbol,
  metadata: { logoURI: '', verified: true, isNative: false },
})
const eth = currency('ETH')
const usdc = currency('USDC')
const odd = currency('ODD')
const refused = { code: 'PRICE_FETCH_FAILED' }

let now: number
let stop: AbortController
const clock: Clock = { now: () => now }
const dollar = (usd = ONE_USD): PriceAnswer => ({ usd, observedAt: now })

beforeEach(() => {
  now = 1_000_000_000
  stop = new AbortController()
})
afterEach(() => stop.abort())

const KEEP_MS = 10_000
const TIMEOUT_MS = 2_000

/** A source whose every request waits until it is let through; `asked` holds what was asked for. */
class Server implements PriceSource {
  readonly pace = { keepMs: KEEP_MS, retryMs: 0, timeoutMs: TIMEOUT_MS }
  readonly asked: string[] = []
  mood: 'answers' | 'hangs' | 'fails' = 'answers'
  answer: (asked: Currency) => PriceAnswer = () => dollar()

  constructor(readonly name = 'server') {}

  async getPrices(currencies: readonly Currency[]): Promise<readonly PriceAnswer[]> {
    this.asked.push(currencies.map(({ symbol }) => symbol).join(' '))
    if (this.mood === 'hangs') await new Promise(() => undefined)
    if (this.mood === 'fails') throw new Error('unreachable')
    return currencies.map((item) => this.answer(item))
  }
}

const checked = (sources: readonly PriceSource[], deps: Partial<CheckedPricesDeps> = {}) =>
  new CheckedPrices({ sources, clock, ...deps })

const until = async (condition: () => boolean): Promise<void> => {
  const deadline = performance.now() + 10_000
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('It did not come about')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const tookMs = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

describe('asking a price source', () => {
  it('puts what is asked for in one turn into one request, and asks twice about nothing', async () => {
    const server = new Server()
    const prices = checked([server])
    await Promise.all([prices.get([eth]), prices.get([usdc, eth]), prices.get([odd])])
    await prices.get([odd, usdc, eth])
    expect(server.asked).toEqual(['ETH USDC ODD'])
  })

  it('answers from half the life on with what it has, and fetches anew behind it', async () => {
    const server = new Server()
    const prices = checked([server])
    await prices.get([eth])
    now += KEEP_MS / 2
    server.mood = 'hangs'
    expect(await tookMs(() => prices.get([eth]))).toBeLessThan(TIMEOUT_MS / 2)
    expect(server.asked.length).toBe(2)
  })

  it('keeps listed currencies and those wanted of late fresh, so that nobody waits', async () => {
    const server = new Server()
    server.answer = ({ symbol }) => (symbol === 'UNKNOWN' ? null : dollar())
    const prices = checked([server])
    const running = prices.run([eth, usdc], stop.signal)
    await until(() => server.asked.length === 1)
    expect(server.asked).toEqual(['ETH USDC'])
    await prices.get([odd])
    await expect(prices.get([currency('UNKNOWN')])).rejects.toMatchObject({ code: 'UNSUPPORTED_CURRENCY' })
    server.asked.length = 0
    now += KEEP_MS - 1
    await until(() => server.asked.length === 1)
    expect(server.asked).toEqual(['ETH USDC ODD'])
    stop.abort()
    await running
  })

  it('leaves a source that costs nothing to whoever needs it', async () => {
    const file = { name: 'file', asked: 0, getPrices: async () => [dollar()].slice(0, ++file.asked) }
    const server = new Server()
    const running = checked([file, server]).run([eth], stop.signal)
    await until(() => server.asked.length === 1)
    expect(file.asked).toBe(0)
    stop.abort()
    await running
  })
})

describe('a price source that fails', () => {
  it('hangs: costs its time limit once, then nothing while another suffices', async () => {
    const hanging = new Server('hanging')
    hanging.mood = 'hangs'
    const prices = checked([hanging, new Server()], { minimumSources: 1 })
    const first = await tookMs(() => prices.get([eth]))
    expect(first).toBeGreaterThan(TIMEOUT_MS - 50)
    for (const item of [usdc, odd]) expect(await tookMs(() => prices.get([item]))).toBeLessThan(TIMEOUT_MS / 2)
  })

  it('is waited for while the others do not suffice', async () => {
    const failing = new Server('failing')
    failing.mood = 'fails'
    const prices = checked([failing, new Server()], { minimumSources: 2 })
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    failing.mood = 'answers'
    await expect(prices.get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
  })

  it('lends its last answers until they are too old', async () => {
    const server = new Server()
    const prices = checked([server], { maxAgeMs: 60_000 })
    await prices.get([eth])
    server.mood = 'fails'
    now += 60_000
    await expect(prices.get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
    now += 1
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
  })

  it('is left alone for longer and longer', async () => {
    const errors: string[] = []
    const server = Object.assign(new Server(), { pace: { keepMs: KEEP_MS, retryMs: 60_000, timeoutMs: TIMEOUT_MS } })
    server.mood = 'fails'
    const prices = checked([server], { onSourceError: (source) => errors.push(source) })
    for (const item of [eth, usdc, eth]) await expect(prices.get([item])).rejects.toMatchObject(refused)
    expect([server.asked, errors]).toEqual([['ETH'], ['server']])
  })

  it('is told once while it fails alike, again when it fails otherwise, and again after it answered', async () => {
    const errors: string[] = []
    const server = new Server()
    const prices = checked([server], { onSourceError: (_source, error) => errors.push(String(error)) })
    const ask = () => prices.get([eth]).catch(() => null)
    const answers = server.answer
    const failWith = (message: string) => {
      server.answer = () => {
        throw new Error(message)
      }
    }
    failWith('no JSON')
    for (let call = 0; call < 3; call += 1) await ask()
    failWith('no file')
    for (let call = 0; call < 2; call += 1) await ask()
    server.answer = answers
    expect(await ask()).toMatchObject([{ usd: ONE_USD }])
    now += 60_000
    failWith('no file')
    await ask()
    expect(errors).toEqual(['Error: no JSON', 'Error: no file', 'Error: no file'])
  })

  it('comes back however often it is asked for meanwhile', async () => {
    const server = Object.assign(new Server(), { pace: { keepMs: KEEP_MS, retryMs: 200, timeoutMs: TIMEOUT_MS } })
    server.answer = () => dollar(0n)
    const prices = checked([server])
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    server.answer = () => dollar()
    const results: Promise<unknown>[] = []
    let isBack = false
    const asking = setInterval(() => {
      results.push(
        prices.get([eth]).then(
          () => {
            isBack = true
          },
          () => undefined,
        ),
      )
    }, 20)
    await until(() => isBack)
    clearInterval(asking)
    await Promise.all(results)
    expect(server.asked.length).toBe(2)
  })

  it('that answers too few, or says it has no price now, leaves no price', async () => {
    const server = new Server()
    const prices = checked([{ name: 'short', getPrices: async () => [] }])
    await expect(prices.get([eth])).rejects.toMatchObject(refused)
    server.answer = () => 'unavailable'
    await expect(checked([server]).get([eth])).rejects.toMatchObject(refused)
  })
})

describe('how many sources must agree', () => {
  const silent = new Server('silent')
  silent.answer = () => null

  it('counts those with a fresh price', async () => {
    const old = new Server('old')
    old.answer = () => ({ usd: ONE_USD, observedAt: now - 3_600_000 })
    const [one, two] = [new Server('one'), new Server('two')]
    const twice = { minimumSources: 2 }
    await expect(checked([one, silent, old], twice).get([eth])).rejects.toMatchObject(refused)
    await expect(checked([one, silent, two], twice).get([eth])).resolves.toMatchObject([{ usd: ONE_USD }])
  })

  it('refuses all prices asked for when one is refused, and asks anew for each that was', async () => {
    const server = new Server()
    server.answer = () => dollar(0n)
    const prices = checked([server])
    await expect(prices.get([eth, usdc])).rejects.toMatchObject(refused)
    server.answer = () => dollar()
    await expect(prices.get([usdc])).resolves.toMatchObject([{ usd: ONE_USD }])
  })
})
