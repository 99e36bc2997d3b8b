import { expect, it } from 'vitest'
import { NOTHING } from './appBalances.js'
import { BALANCE_CONTEXTS, balanceChange, contextOf, type MovedBy } from './balanceContext.js'

const by: MovedBy = { event: 'included:1', earned: [], sponsored: null }
const CASES = [
  ['set-pending-amount', { app: -36n, sponsored: 36n }, { event: 'sponsored:0' }, 0n],
  ['unset-pending-amount', { app: 36n, sponsored: -36n }, { event: 'unsponsored:1' }, 0n],
  ['reset-pending-amount', { app: -36n, sponsored: 36n }, { event: 'sponsored:2' }, 0n],
  ['pay-fees', { sponsored: -36n }, { sponsored: { amount: 36n, rateCost: 20n } }, -36n],
  ['pay-fees', { sponsored: 36n }, { event: 'reorged:1', sponsored: { amount: 36n, rateCost: 0n } }, 36n],
  ['fixed-rate-accounting', { sponsored: -36n }, { sponsored: { amount: 36n, rateCost: 36n } }, -36n],
  ['claim', { app: -5n, claimed: 5n }, {}, -5n],
  ['claim', { app: 5n, claimed: -5n }, {}, 5n],
  ['fast-fill-reduce-balance', { app: -9n, collateral: 9n }, {}, -9n],
  ['fast-fill-increase-balance', { app: 9n, collateral: -9n }, {}, 9n],
  ['fast-fill-reduce-balance', { collateral: -9n, exposure: -9n }, {}, 0n],
  ['balance-topup', { app: 100n }, { event: 'topped-up' }, 100n],
  ['execute-transaction-request', { app: 12n, earned: -12n }, { event: 'settled', earned: ['app', 'integrator'] }, 12n],
  ['fixed-rate-accounting', { app: 9n, earned: -9n }, { event: 'settled', earned: ['rate'] }, 9n],
  ['integrator-fixed-bps-accounting', { app: 9n, earned: -9n }, { event: 'settled', earned: ['integrator'] }, 9n],
] as const

it.each(CASES)('%s (wire.md 4.12)', (context, changes, more, change) => {
  const all = { ...NOTHING, ...changes }
  expect(contextOf(all, { ...by, ...more })).toBe(context)
  expect(balanceChange(all)).toBe(change)
})

it('each context of the wire has a posting', () => {
  expect([...new Set(CASES.map(([context]) => context))].sort()).toEqual([...BALANCE_CONTEXTS].sort())
})
