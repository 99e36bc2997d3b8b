import { readFileSync } from 'node:fs'
import type { RecordCondition } from '@causeway/core/plugin'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilters } from './parseFilters.js'
import { toRecordQuery } from './toRecordQuery.js'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  fc.constantFrom("'", '%', '_', '\\', '\u202e', '😀', 'not:id', 'null'),
)
const valuesOf = (field: string): fc.Arbitrary<string> => {
  if (field === 'status') return fc.constantFrom('success', 'failure', 'refund', 'pending', 'depositing')
  if (field === 'requestType') return fc.constantFrom('Bridge', 'bridge', 'CALL', 'Same-chain Swap')
  return /chainId$/i.test(field) ? fc.nat().map(String) : value
}
const FIELDS = [
  ...['id', 'orderId', 'depositTxHash', 'user', 'recipient', 'depositAddress', 'originChainId', 'chainId'],
  ...['currencyInSymbol', 'currencyOutAddress', 'status', 'failReason', 'requestType', 'referrer', 'term', 'apiKey'],
] as const

const condition: fc.Arbitrary<RecordCondition> = fc.constantFrom(...FIELDS).chain((field) =>
  fc.record({
    field: fc.constant(field),
    not: fc.boolean(),
    values: fc.option(fc.array(valuesOf(field), { minLength: 1, maxLength: 5 }), { nil: null, freq: 4 }),
  }),
)
const keyOf = ({ field, not }: RecordCondition): string => `${not ? 'not:' : ''}${field}`
const group = fc.uniqueArray(condition, { selector: keyOf, maxLength: 6 })

/** The text a client writes for conditions: one value alone or in a list, chain ids as numbers or texts. */
const written = (groups: readonly (readonly RecordCondition[])[], asNumbers: boolean): string =>
  JSON.stringify(
    groups.map((conditions) =>
      Object.fromEntries(
        conditions.map((one) => {
          const isNumber = asNumbers && /chainId$/i.test(one.field)
          const values = one.values?.map((text) => (isNumber ? Number(text) : text)) ?? null
          return [keyOf(one), values?.length === 1 ? values[0] : values]
        }),
      ),
    ),
  )

describe('filters (wire.md 3.1 2)', () => {
  it('whatever conditions a client writes are the ones that are asked', () => {
    void fc.assert(
      fc.property(fc.array(group, { maxLength: 8 }), fc.boolean(), (groups, asNumbers) => {
        expect(parseFilters(written(groups, asNumbers))).toEqual(groups)
      }),
    )
  })

  it('any text at all is read or refused with a code, never anything else', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        try {
          parseFilters(text)
        } catch (error) {
          expect(Reflect.get(Object(error), 'code')).toBe('INVALID_REQUEST')
        }
      }),
    )
  })

  it('a null among values is refused wherever it stands', () => {
    void fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.nat(4), (values, at) => {
        const list = [...values.slice(0, at), null, ...values.slice(at)]
        expect(() => parseFilters(JSON.stringify([{ user: list }]))).toThrow(/null/)
      }),
    )
  })

  it('the examples of the README are read', () => {
    const examples = [...README.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text)
    expect(examples).toHaveLength(3)
    expect(parseFilters(examples[0] ?? '')).toEqual([
      [
        { field: 'status', not: false, values: ['success'] },
        { field: 'currencyInSymbol', not: false, values: ['usdc'] },
      ],
      [{ field: 'status', not: false, values: ['refund'] }],
    ])
    expect(parseFilters(examples[1] ?? '')[0]?.[1]).toEqual({
      field: 'failReason',
      not: true,
      values: ['SLIPPAGE', 'TTL_EXPIRED'],
    })
    expect(parseFilters(examples[2] ?? '')[0]).toEqual([
      { field: 'depositAddress', not: false, values: null },
      { field: 'refundTxHash', not: true, values: null },
    ])
  })
})

describe('the search of a query', () => {
  const facts = { apiKeyIds: null, hiddenChains: [], integratorId: null }

  it('asked for nothing, it is the twenty newest (wire.md H.3)', () => {
    expect(toRecordQuery({}, facts)).toEqual({
      conditions: [],
      groups: [],
      ranges: {},
      hiddenChains: [],
      children: false,
      sort: 'createdAt',
      descending: true,
      limit: 20,
      after: null,
    })
  })

  it('directions by default: times downwards, amounts upwards (rule 1)', () => {
    expect(toRecordQuery({ sortBy: 'updatedAt' }, facts).descending).toBe(true)
    expect(toRecordQuery({ sortBy: 'amountUsd' }, facts).descending).toBe(false)
    expect(toRecordQuery({ sortBy: 'amountUsd', sortDirection: 'desc' }, facts).descending).toBe(true)
  })

  it('children only with id or depositAddress (rule 6)', () => {
    expect(toRecordQuery({ includeChildRequests: true, user: 'x' }, facts).children).toBe(false)
    expect(toRecordQuery({ includeChildRequests: true, id: 'x' }, facts).children).toBe(true)
    expect(toRecordQuery({ includeChildRequests: true, depositAddress: 'x' }, facts).children).toBe(true)
  })
})
