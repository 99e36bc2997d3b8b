import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payoutGroups } from './payoutGroups.js'

const recipient = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: null })

test('each payout is in one group, of at most so many and of different recipients; what shares nothing is alone', () => {
  fc.assert(
    fc.property(fc.array(recipient, { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), (recipients, most) => {
      const groups = payoutGroups(
        recipients.map((recipient) => ({ recipient, kind: 'payment' as const })),
        most,
      )
      expect(groups.flat().sort((left, right) => left - right)).toEqual(recipients.map((_, at) => at))
      for (const group of groups) {
        const paid = group.map((at) => recipients[at])
        expect(group.length).toBeLessThanOrEqual(paid.includes(null) ? 1 : most)
        expect(new Set(paid).size).toBe(group.length)
      }
    }),
  )
})

test('different recipients fill as few groups as they can', () => {
  const payouts = ['a', 'b', 'a', 'c', 'd'].map((recipient) => ({ recipient, kind: 'payment' as const }))
  expect(payoutGroups(payouts, 4)).toEqual([[0, 1, 3, 4], [2]])
})

test('sweeps share with sweeps alone', () => {
  const kinds = ['payment', 'sweep', 'payment', 'sweep', 'sweep'] as const
  const payouts = kinds.map((kind, at) => ({ recipient: `${at}`, kind }))
  expect(payoutGroups(payouts, 4)).toEqual([
    [0, 2],
    [1, 3, 4],
  ])
})
