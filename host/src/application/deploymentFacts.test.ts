import type { Chain } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { deploymentFacts, differencesOf, hashOfFacts } from './deploymentFacts.js'

const chain = (config: object, adapter: object = {}): Chain =>
  // CAST: the members that are stored.
  ({
    config: {
      ...{ id: 7, slug: 'base', confirmations: { fill: 1, success: 1, settle: 10, settleSeconds: 0 } },
      currencies: [{ address: '0xA', symbol: 'USDC', name: 'USD Coin', decimals: 6, groupId: 'usdc' }],
      ...config,
    },
    adapter: {
      depository: '0xd',
      fillContract: '0xf',
      normalizeCurrency: (text: string) => text.toLowerCase(),
      ...adapter,
    },
  }) as never

const factsOf = (config: object = {}, adapter: object = {}, allocator: string | null = '0xa') =>
  deploymentFacts({ chains: [chain(config, adapter)], allocatorOf: () => allocator })

const differences = (config: object, adapter: object = {}) =>
  differencesOf(factsOf(config, adapter), factsOf()).map(({ path, stored, configured }) => [path, stored, configured])

it('names each setting that money depends on with both values', () => {
  const confirmations = { fill: 1, success: 1, settle: 2, settleSeconds: 0 }
  expect(differences({ confirmations }, { depository: '0xe' })).toEqual([
    ['chain 7 depository', '0xd', '0xe'],
    ['chain 7 settle', '10', '2'],
  ])
  const currencies = [{ address: '0xa', symbol: 'USDC', name: 'USD Coin', decimals: 8, groupId: 'usdc' }]
  expect(differences({ currencies })).toEqual([['chain 7 currency 0xa decimals', '6', '8']])
})

it('takes no offence at what hosts may differ in, or at chains, currencies and keys that one of them lacks', () => {
  expect(
    differences({ name: 'Base', rpc: [], solver: '0x1', limits: { perHour: [] }, options: { pollIntervalMs: 5 } }),
  ).toEqual([])
  expect(differences({ currencies: [] })).toEqual([])
  expect(differences({ id: 8 })).toEqual([])
  expect(differencesOf(factsOf({}, {}, null), factsOf())).toEqual([])
  expect(differences({}, { moneyAccounts: { permitRouter: '0xp' } })).toEqual([])
})

it('has one hash for equal settings, in whatever order they stand', () => {
  const facts = factsOf()
  expect(hashOfFacts(new Map([...facts].reverse()))).toBe(hashOfFacts(facts))
  expect(hashOfFacts(factsOf({ slug: 'other' }))).not.toBe(hashOfFacts(facts))
})
