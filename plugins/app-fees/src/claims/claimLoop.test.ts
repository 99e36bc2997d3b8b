import { type Currency, powerOfTen } from '@causeway/core'
import type { Price } from '@causeway/core/chain'
import { type BalanceCurrency, type Chain, crossingPrices, type Usd, worthAsBalance } from '@causeway/core/plugin'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ClaimPricer, type ClaimPricerDeps } from './claimPricer.js'

const currency = (symbol: string, decimals: number): Currency => ({
  ...{ chainId: 1, address: `0x${symbol}`, symbol, name: symbol, decimals },
  ...{ vmType: 'evm', groupId: symbol, metadata: { logoURI: '', verified: true, isNative: symbol === 'eth' } },
})
const [ETHER, DOLLAR] = [currency('eth', 18), currency('usd', 6)]
const BALANCES: BalanceCurrency = { chainId: 1, address: DOLLAR.address }
const UNIT = powerOfTen(18)

/** A price, with those of all sources where they differ. */
type Sources = Pick<Price, 'usd' | 'range'>

/** A network without fees: what a loop costs is the conversion and the flat part alone. */
const pricerAt = (ether: Sources): ClaimPricer => {
  const deps = {
    clock: { now: () => 0 },
    prices: { get: async (asked: readonly Currency[]) => asked.map((one) => (one === ETHER ? ether : { usd: UNIT })) },
    balanceCurrency: BALANCES,
    currencies: { native: () => ETHER },
    settings: { claimFee: UNIT / 50n, claimSlippageBps: 100 },
  }
  // CAST: it reads nothing else.
  return new ClaimPricer(deps as unknown as ClaimPricerDeps)
}

// CAST: a claim reads nothing else of its chain.
const CHAIN = {
  config: { id: 1, solver: '0xsolver' },
  adapter: {
    estimatePayoutFee: async () => ({ network: { currency: ETHER.address, amount: 0n } }),
    simulate: async () => ({ ok: true, gas: 0n }),
  },
} as unknown as Chain

/** One crossing: what it brings at a price that the service has. */
const cross = async (amount: bigint, into: 'balance' | 'ether', price: Usd | Sources): Promise<bigint> => {
  const ether = typeof price === 'bigint' ? { usd: price } : price
  if (into === 'balance') {
    const dollar = { currency: DOLLAR, price: { usd: UNIT } }
    const { given, taken } = crossingPrices({ currency: ETHER, price: ether }, dollar)
    const priced = { price: given, into: { currency: DOLLAR, price: taken } }
    return worthAsBalance(BALANCES, { currency: ETHER, amount }, priced)
  }
  const request = { id: `0x${'01'.repeat(32)}` as const, chain: CHAIN, currency: ETHER, recipient: { address: '0xme' } }
  return (await pricerAt(ether).price({ ...request, taken: { currency: DOLLAR, amount } })).amount
}

/** Worth in 10^-18 dollars. */
const worthOf = (amount: bigint, held: 'balance' | 'ether', price: Usd): bigint =>
  held === 'balance' ? amount * powerOfTen(12) : (amount * price) / UNIT

const START = 2_000n * UNIT

/** How far the market goes between two crossings, and how far behind it the service's price is then, basis points. */
const steps = fc.array(
  fc.record({ moves: fc.integer({ min: -500, max: 500 }), behind: fc.integer({ min: -44, max: 44 }) }),
  { minLength: 20, maxLength: 20 },
)

it.each(['balance', 'ether'] as const)(
  'property: of 20 crossings, the first into %s, none leaves the caller with more than before, while the price is less behind the market than a conversion costs (faults.md F142)',
  async (first) => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        let market = START
        let held: 'balance' | 'ether' = first === 'balance' ? 'ether' : 'balance'
        let amount = held === 'ether' ? UNIT : 2_000_000_000n
        for (const { moves, behind } of list) {
          market = (market * BigInt(10_000 + moves)) / 10_000n
          const before = worthOf(amount, held, market)
          const into = held === 'ether' ? 'balance' : 'ether'
          amount = await cross(amount, into, (market * BigInt(10_000 + behind)) / 10_000n)
          held = into
          expect(worthOf(amount, held, market)).toBeLessThan(before)
        }
      }),
      { numRuns: 20 },
    )
  },
)

it.each([
  { name: 'the price stands still', swings: 0n },
  { name: 'the price swings by 0.4 % and is 300 s old at each crossing, always in favour of the caller', swings: 40n },
])('20 crossings where $name: less is left', async ({ swings }) => {
  const [low, high] = [(START * (10_000n - swings)) / 10_000n, START]
  let ether = UNIT
  for (let round = 0; round < 10; round += 1) {
    // Ether has fallen, and the service still has the price before; then it has risen.
    const dollars = await cross(ether, 'balance', high)
    ether = await cross(dollars, 'ether', low)
  }
  expect(ether).toBeLessThan(UNIT)
})

it.each([10n, 46n, 100n, 2_000n])(
  'F142: a crossing gains nothing where one of two sources is %d basis points behind the market',
  async (behind) => {
    for (const sign of [1n, -1n]) {
      const [market, late] = [START, (START * (10_000n + sign * behind)) / 10_000n]
      const [low, high] = market < late ? [market, late] : [late, market]
      for (const usd of [low, high])
        for (const [into, amount, held] of [
          ['balance', UNIT, 'ether'],
          ['ether', 2_000_000_000n, 'balance'],
        ] as const) {
          const got = await cross(amount, into, { usd, range: { low, high } })
          expect(worthOf(got, into, market)).toBeLessThan(worthOf(amount, held, market))
        }
    }
  },
)
