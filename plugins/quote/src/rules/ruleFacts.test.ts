import type { Currency } from '@causeway/core'
import { ONE_USD, parseUsd, type Usd } from '@causeway/core/plugin'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IntegratorRule } from './integratorRule.js'
import { oraclePriceFacts, platformFeeFacts } from './ruleFacts.js'

const currency = (symbol: string, decimals: number): Currency => ({
  chainId: 8453,
  address: `0x${symbol}`,
  symbol,
  name: symbol,
  decimals,
  vmType: 'evm',
  groupId: symbol,
  metadata: { logoURI: '', verified: true, isNative: false },
})
const usdc = currency('usdc', 6)
const ether = currency('ether', 18)
const usd = (text: string): Usd => parseUsd(text) ?? 0n

const rule: IntegratorRule = {
  ruleId: 7,
  integratorId: 'one',
  bucket: 'any',
  relayFeeBps: 6,
  integratorFeeBps: 4,
  integratorFeeRecipient: `0x${'a1'.repeat(20)}`,
  oracleBps: 12,
}

describe('platformFee of a record (wire.md 3.1)', () => {
  it('has every leaf, with amounts as AMOUNT objects', () => {
    const facts = platformFeeFacts(rule, {
      bucket: 'stable',
      currency: usdc,
      price: ONE_USD,
      relayFee: 60_000n,
      integratorFee: 40_000n,
    })
    expect(facts).toMatchObject({
      bucket: 'stable',
      ruleId: 7,
      relayFeeBps: 6,
      integratorFeeBps: 4,
      totalFeeBps: 10,
      relayFee: { amount: '60000', amountFormatted: '0.06', amountUsd: '0.060000', minimumAmount: '60000' },
      integratorFee: { amount: '40000', currency: { symbol: 'usdc', decimals: 6 } },
      totalPlatformFee: { amount: '100000', amountFormatted: '0.1', amountUsd: '0.100000' },
      integratorFeeRecipient: rule.integratorFeeRecipient,
    })
  })

  it('sums, in units and in dollars, for all amounts and prices', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n })
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: 1n, max: 10n ** 24n }), (relayFee, integratorFee, price) => {
        const facts = platformFeeFacts(rule, { bucket: 'minor', currency: ether, price, relayFee, integratorFee })
        const sum = (name: 'amount' | 'amountUsd') =>
          [facts.relayFee, facts.integratorFee].reduce((total, fee) => total + (parseUsd(fee[name]) ?? 0n), 0n)
        expect(parseUsd(facts.totalPlatformFee.amount)).toBe(sum('amount'))
        expect(parseUsd(facts.totalPlatformFee.amountUsd)).toBe(sum('amountUsd'))
      }),
    )
  })
})

describe('the fixed-bps oracle price (wire.md D.8)', () => {
  const pair = {
    input: { money: { currency: ether, amount: 2n * 10n ** 18n }, price: { usd: usd('2500.5'), observedAt: 2_000 } },
    output: { currency: usdc, price: { usd: usd('0.9998'), observedAt: 1_000 } },
  }

  it('is recorded with rate, time of the older observation and both amounts', () => {
    expect(oraclePriceFacts(pair, 4_995_000_000n)).toMatchObject({
      rate: expect.stringMatching(/^2501\.0002000400080016/),
      observedAt: '1970-01-01T00:00:01.000Z',
      inputCurrency: { amount: '2000000000000000000', amountUsd: '5001.000000' },
      outputCurrency: { amount: '4995000000', currency: { symbol: 'usdc' } },
    })
  })

  it('writes whole rates without a point', () => {
    const even = { usd: ONE_USD, observedAt: 0 }
    const same = { input: { money: pair.input.money, price: even }, output: { currency: usdc, price: even } }
    expect(oraclePriceFacts(same, 1n).rate).toBe('1')
  })
})
