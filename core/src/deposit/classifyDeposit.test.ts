import { describe, expect, it } from 'vitest'
import type { DepositEvent } from '../chain/chainAdapter.js'
import type { QuoteTerms } from '../quote/quoteTerms.js'
import { classifyDeposit, type DepositContext } from './classifyDeposit.js'

// CAST: only the fields the rules read.
const terms = { origin: { chainId: 1, currency: 'usdc' }, minimumDeposit: 100n } as QuoteTerms
const event = (currency: string, amount: bigint, orderId: DepositEvent['orderId'] = '0x01'): DepositEvent =>
  ({ orderId, money: { currency, amount } }) as DepositEvent

const context: DepositContext = { chainId: 1, terms, consumed: false, refundable: true, droppedAfterDays: null, now: 0 }

describe('what a deposit becomes (architecture.md 3, Cardinality)', () => {
  it.each([
    { name: 'the exact minimum', deposit: event('usdc', 100n), change: {}, fate: { kind: 'fillable' } },
    { name: 'more than asked', deposit: event('usdc', 10_000n), change: {}, fate: { kind: 'fillable' } },
    {
      name: 'one unit short (F11)',
      deposit: event('usdc', 99n),
      change: {},
      fate: { kind: 'child', reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' },
    },
    {
      name: 'dust first (F117)',
      deposit: event('usdc', 1n),
      change: {},
      fate: { kind: 'child', reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' },
    },
    {
      name: 'a second deposit (F09)',
      deposit: event('usdc', 100n),
      change: { consumed: true },
      fate: { kind: 'child', reason: 'DOUBLE_SPEND' },
    },
    {
      name: 'another currency',
      deposit: event('eth', 100n),
      change: {},
      fate: { kind: 'child', reason: 'INCORRECT_DEPOSIT_CURRENCY' },
    },
    {
      name: 'another chain (F17)',
      deposit: event('usdc', 100n),
      change: { chainId: 2 },
      fate: { kind: 'child', reason: 'DEPOSIT_CHAIN_MISMATCH' },
    },
    {
      name: 'a currency the solver does not hold (F02)',
      deposit: event('fake', 100n),
      change: { refundable: false },
      fate: { kind: 'parked', reason: 'currency not held by the solver' },
    },
    {
      name: 'no order id',
      deposit: event('usdc', 100n, null),
      change: {},
      fate: { kind: 'parked', reason: 'no order id' },
    },
    {
      name: 'an unknown order id',
      deposit: event('usdc', 100n),
      change: { terms: null },
      fate: { kind: 'parked', reason: 'unknown order id' },
    },
  ])('$name', ({ deposit, change, fate }) => {
    expect(classifyDeposit(deposit, { ...context, ...change })).toEqual(fate)
  })
})
