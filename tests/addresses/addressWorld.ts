import { CLOCK, type Clock } from '@causeway/core'
import { createSecp256k1Signer, PRICES, type PriceSource } from '@causeway/core/chain'
import { CheckedPrices } from '@causeway/core/host'
import {
  type Caller,
  type DatabasePool,
  definePlugin,
  KEYS,
  parseUsd,
  QUOTE_ENGINE,
  type QuoteEngine,
} from '@causeway/core/plugin'
import { startTestPlugin, type TestPlugin } from '@causeway/core/testing'
import addresses from '@causeway/plugin-deposit-address'
import quotes from '@causeway/plugin-quote'
import { type AddressMood, addressChain, usdc, ZERO } from './addressChain.js'

export const USER = `0x${'a1'.repeat(20)}`
export const RECIPIENT = `0x${'b2'.repeat(20)}`
export const REFUND = `0x${'b3'.repeat(20)}`
const KEY = `0x${'7a'.repeat(32)}`

const integrator = (name: string, trusted: boolean): Caller => ({
  ...{ kind: 'integrator', integratorId: name, apiKeyId: `key of ${name}`, keyName: null, elevated: false, trusted },
})

/** An answer, whatever it holds. */
export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely.
  readonly body: any
}

/** The plugins of quotes and of addresses over the same database and stand-in chains. */
export interface AddressWorld {
  readonly running: TestPlugin<unknown>
  readonly pool: DatabasePool
  readonly engine: QuoteEngine
  readonly mood: AddressMood
  readonly clock: Clock & { time: number }
  /** Dollars by symbol; change one to move the market. */
  readonly prices: Record<string, string>
  /** Starts the job of that name; ends it when what comes back is called. */
  start(job: string): () => Promise<void>
  /** Key: `shop`, `other` or `trusted`. */
  post(path: string, body: object, key?: string): Promise<Answer>
  get(path: string, key?: string): Promise<Answer>
  close(): Promise<void>
}

const ADDRESS_OPTIONS = {
  lifeDays: 180,
  poolSize: 5,
  addressesPerHour: 2,
  requoteAttempts: 12,
  custodialSenders: [],
}

/** Both as one, so that they run over one container and one database. */
const both = definePlugin({
  ...quotes,
  provides: [...(quotes.provides ?? []), ...(addresses.provides ?? [])],
  register: async (context) => {
    await quotes.register?.(context)
    await addresses.register?.({ ...context, options: ADDRESS_OPTIONS })
  },
  routes: (context) => [
    ...(quotes.routes?.(context) ?? []),
    ...(addresses.routes?.({ ...context, options: ADDRESS_OPTIONS }) ?? []),
  ],
})

/**
 * Chains 1 and 2 derive addresses, 3 pools them and cannot pay back to whoever sent, 4 has none, 5 is of another VM. The solver holds
 * 10,000 ETH and as many USDC on each. Keys: `shop`, `other`, `trusted`.
 */
export const startAddressWorld = async (): Promise<AddressWorld> => {
  const mood: AddressMood = { sweepFee: 10n ** 14n, derived: [], holdings: new Map(), looks: 0 }
  const clock = { time: Date.parse('2026-11-01T00:00:00Z'), now: () => clock.time }
  const prices: Record<string, string> = { ETH: '2000', USDC: '1' }
  const source: PriceSource = {
    name: 'test',
    getPrices: async (currencies) =>
      currencies.map(({ symbol }) => {
        const usd = prices[symbol]
        return usd === undefined ? null : { usd: parseUsd(usd) ?? 0n, observedAt: clock.time }
      }),
  }
  const chains = [
    addressChain(1, mood, { addresses: 'derived' }),
    addressChain(2, mood, { addresses: 'derived' }),
    addressChain(3, mood, { addresses: 'pooled', refundToDepositor: false }),
    addressChain(4, mood),
    addressChain(5, mood, { addresses: 'derived', vmType: 'othervm' }),
  ]
  const signer = createSecp256k1Signer(KEY)
  const keys = {
    ...{ signer: () => signer, has: () => true },
    ...{ seed: () => new Uint8Array(32), derive: () => new Uint8Array(32) },
  }
  const running = await startTestPlugin(both, {
    options: { quoteV2KeyRequiredFrom: 'never' },
    callers: {
      shop: integrator('shop', false),
      other: integrator('other', false),
      trusted: integrator('trusted', true),
    },
    chains,
    register: (root) => {
      root.register(CLOCK, { useValue: clock })
      root.register(KEYS, { useValue: keys })
      root.register(PRICES, { useValue: new CheckedPrices({ sources: [source], clock }) })
    },
  })
  for (const chainId of [1, 2, 3, 4, 5]) {
    await running.database.pool.query(
      `insert into inventory (chain_id, currency, balance, height, observed_at) values ($1, $2, 1e22, 1, now()), ($1, $3, 1e10, 1, now())`,
      [chainId, ZERO, usdc(chainId)],
    )
  }
  const call = async (path: string, init: RequestInit, key?: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
    const response = await fetch(`${running.url}${path}`, { ...init, headers })
    // CAST: what the routes answer is checked against their schemas by the test server.
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  return {
    ...{ running, mood, clock, prices },
    pool: running.database.pool,
    engine: running.context.container.resolve(QUOTE_ENGINE),
    start: (name) => {
      const job = addresses.jobs?.({ ...running.context, options: ADDRESS_OPTIONS }).find((item) => item.name === name)
      if (job === undefined) throw new Error(`There is no job ${name}`)
      const stopping = new AbortController()
      const ended = job.run(stopping.signal)
      return async () => {
        stopping.abort()
        await ended
      }
    },
    post: (path, body, key) => call(path, { method: 'POST', body: JSON.stringify(body) }, key),
    get: (path, key) => call(path, {}, key),
    close: () => running.close(),
  }
}

/** 100 USDC from chain 1 to chain 2, to an open address. */
export const addressBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  user: USER,
  recipient: RECIPIENT,
  originChainId: 1,
  destinationChainId: 2,
  originCurrency: usdc(1),
  destinationCurrency: usdc(2),
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
  useDepositAddress: true,
  ...changes,
})
