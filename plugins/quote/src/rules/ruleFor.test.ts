import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IntegratorRule, RulePair, RuleScope } from './integratorRule.js'
import { ruleFor } from './ruleFor.js'

const terms = { relayFeeBps: 3, integratorFeeBps: 0, integratorFeeRecipient: null, oracleBps: null }
const rule = (ruleId: number, scope: Partial<RuleScope>): IntegratorRule => ({
  ruleId,
  integratorId: 'one',
  bucket: 'any',
  ...scope,
  ...terms,
})

const pair: RulePair = {
  bucket: 'stable',
  origin: { chainId: 1, currency: 'a' },
  destination: { chainId: 2, currency: 'b' },
}

const side = (name: 'origin' | 'destination') =>
  fc.oneof(
    fc.constant({}),
    fc.integer({ min: 1, max: 2 }).map((id) => ({ [`${name}ChainId`]: id })),
    fc
      .tuple(fc.integer({ min: 1, max: 2 }), fc.constantFrom('a', 'b'))
      .map(([id, currency]) => ({ [`${name}ChainId`]: id, [`${name}Currency`]: currency })),
  )
const scopes = fc
  .tuple(fc.constantFrom('any' as const, 'stable' as const, 'major' as const), side('origin'), side('destination'))
  .map(([bucket, origin, destination]): RuleScope => ({ bucket, ...origin, ...destination }))
const ruleSets = fc.array(scopes, { maxLength: 12 }).map((found) => found.map((scope, at) => rule(at + 1, scope)))

const says = (scope: RuleScope) =>
  Object.entries(scope).filter(([name, value]) => name.match(/^(bucket|origin|destination)/) && value !== 'any')
const covers = (scope: RuleScope) =>
  says(scope).every(([name, value]) =>
    name === 'bucket'
      ? value === pair.bucket
      : value ===
        { originChainId: 1, originCurrency: 'a', destinationChainId: 2, destinationCurrency: 'b' }[
          name as 'originChainId'
        ],
  )

describe('the rule of a pair', () => {
  it.each([
    [
      'a currency before a chain',
      { originChainId: 1, destinationChainId: 2, bucket: 'stable' },
      { destinationChainId: 2, destinationCurrency: 'b' },
    ],
    [
      'two currencies before one',
      { originChainId: 1, originCurrency: 'a', destinationChainId: 2, bucket: 'stable' },
      { originChainId: 1, originCurrency: 'a', destinationChainId: 2, destinationCurrency: 'b' },
    ],
    ['a chain before a class', { bucket: 'stable' }, { destinationChainId: 2 }],
    ['a class before any', {}, { bucket: 'stable' }],
    ['the origin before the destination', { destinationChainId: 2 }, { originChainId: 1 }],
  ] as const)('%s', (_name, wider, narrower) => {
    expect(ruleFor([rule(1, wider), rule(2, narrower)], pair)?.ruleId).toBe(2)
    expect(ruleFor([rule(2, narrower), rule(1, wider)], pair)?.ruleId).toBe(2)
  })

  it('is one that covers the pair, and there is one whenever any covers it', () => {
    fc.assert(
      fc.property(ruleSets, (rules) => {
        const found = ruleFor(rules, pair)
        expect(found === null).toBe(!rules.some(covers))
        if (found !== null) expect(covers(found)).toBe(true)
      }),
    )
  })

  it('does not depend on the order of the rules', () => {
    const shuffled = ruleSets.chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    )
    fc.assert(
      fc.property(shuffled, ([rules, other]) => {
        expect(ruleFor(other, pair)).toEqual(ruleFor(rules, pair))
      }),
    )
  })

  it('never is one that asks for less than another that covers the pair and asks for all of it and more', () => {
    fc.assert(
      fc.property(ruleSets, (rules) => {
        const found = ruleFor(rules, pair)
        if (found === null) return
        const asked = says(found).map(String)
        const narrower = rules.filter((other) => {
          const more = says(other).map(String)
          return covers(other) && more.length > asked.length && asked.every((condition) => more.includes(condition))
        })
        expect(narrower).toEqual([])
      }),
    )
  })
})
