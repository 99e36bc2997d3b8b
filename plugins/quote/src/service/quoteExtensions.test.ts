import { defineQuoteExtension, type QuoteDraft, type QuoteExtension } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { ANYONE, usdcBody } from '../fixtures/quoteWorld.js'
import { readQuoteInput } from './input/quoteInput.js'
import { QuoteExtensions } from './quoteExtensions.js'

const extension = (name: string, more: Partial<QuoteExtension> = {}, log: string[] = []): QuoteExtension =>
  defineQuoteExtension({
    name,
    bodySchema: Type.Object({ topupGas: Type.Optional(Type.Boolean()) }),
    phase: 'fees',
    apply: () => void log.push(name),
    response: () => ({ [name]: true }),
    ...more,
  })
// CAST: the extensions of these tests read nothing of the draft.
const draft = { body: usdcBody(), caller: ANYONE, feeLines: [] } as unknown as QuoteDraft

describe('QuoteExtensions (architecture.md 5)', () => {
  it('lets through the fields an extension declares and checks them by its schema', () => {
    const known = new QuoteExtensions([extension('topup')])
    const body = usdcBody({ topupGas: true })
    // CAST: a body that fits the schema.
    expect(() => readQuoteInput(body as never, known)).not.toThrow()
    expect(() => readQuoteInput(body as never, new QuoteExtensions([]))).toThrow('body.topupGas is not supported')
    expect(() => known.check(usdcBody({ topupGas: 'yes' }))).toThrow('body.topupGas')
  })

  it('runs the extensions of a phase in their order and merges their fields', async () => {
    const log: string[] = []
    const all = new QuoteExtensions([
      extension('last', { after: ['middle'] }, log),
      extension('middle', {}, log),
      extension('first', { before: ['middle'] }, log),
      extension('other', { phase: 'order' }, log),
    ])
    await all.run('fees', draft)
    expect(log).toEqual(['first', 'middle', 'last'])
    expect(all.response(draft)).toEqual({ last: true, middle: true, first: true, other: true })
  })

  it('spells out a cycle', () => {
    const cycle = [extension('a', { after: ['b'] }), extension('b', { after: ['a'] })]
    expect(() => new QuoteExtensions(cycle)).toThrow('a -> b -> a')
  })
})
