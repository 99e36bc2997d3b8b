import type { QuoteTerms } from '@causeway/core/plugin'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { cutTo } from '../../fixtures/payableDouble.js'
import { ANYONE, createQuoteWorld, type QuoteWorld, usdcBody } from '../../fixtures/quoteWorld.js'

const DIGITS = 4
const EXACT = '100000000'
const TRADE_TYPES = ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT'] as const

let world: QuoteWorld
beforeEach(() => {
  world = createQuoteWorld()
  world.mood.payableDigits = DIGITS
})

const cut = (amount: bigint): bigint => cutTo(DIGITS, amount)
const quote = async (changes: Readonly<Record<string, unknown>>): Promise<QuoteTerms> => {
  await world.service.quote({ body: usdcBody(changes), caller: ANYONE })
  const stored = world.store.inserted.at(-1)
  if (stored === undefined) throw new Error('The quote was not stored')
  return stored.terms
}
const reprice = (terms: QuoteTerms, amount: bigint) =>
  world.service.reprice(terms, { amount, includedAt: world.clock.time })

describe('a quote where payments carry four digits (chains.md xrpvm 10)', () => {
  it.each(TRADE_TYPES)('%s: promises only what can be paid, asks only for what can be sent', async (tradeType) => {
    const terms = await quote({ tradeType, amount: EXACT })
    const { depositAmount, payoutAmount, minimumPayout } = terms
    expect([depositAmount, payoutAmount, minimumPayout].map(cut)).toEqual([depositAmount, payoutAmount, minimumPayout])
    expect(payoutAmount + terms.feesIn <= depositAmount).toBe(true)
    expect(world.mood.simulated.map(cut)).toEqual(world.mood.simulated)
  })

  it.each(['EXACT_INPUT', 'EXACT_OUTPUT'])(
    '%s of an amount that cannot be paid exactly is refused with the nearest below it (INVALID_REQUEST)',
    async (tradeType) => {
      const refusal = { code: 'INVALID_REQUEST', message: expect.stringContaining('the nearest below it is 100000000') }
      await expect(quote({ tradeType, amount: '100000001' })).rejects.toMatchObject(refusal)
      expect(world.store.inserted).toEqual([])
    },
  )

  it('EXPECTED_OUTPUT may end below: it comes down to what can be paid (wire.md D.5)', async () => {
    const terms = await quote({ tradeType: 'EXPECTED_OUTPUT', amount: '100000001' })
    expect(terms.payoutAmount).toBe(100_000_000n)
  })

  it('the native currency next to it keeps its own digits', async () => {
    const amount = '1000000000000000001'
    const native = { originCurrency: `0x${'0'.repeat(40)}`, destinationCurrency: `0x${'0'.repeat(40)}`, amount }
    expect((await quote(native)).depositAmount).toBe(BigInt(amount))
  })
})

describe('a deposit of any amount, repriced where payments carry four digits', () => {
  it.each([
    { when: 'in time', later: 0 },
    { when: 'late', later: 60_000 },
  ])('$when: the fill can be paid, and fees take up what it leaves over: not a unit is lost', async ({ later }) => {
    const templates = await Promise.all(
      TRADE_TYPES.map((tradeType) =>
        quote({ tradeType, amount: EXACT, latePaymentSlippageTolerance: '10000', slippageTolerance: '100' }),
      ),
    )
    world.clock.time += later
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...templates),
        fc.bigInt({ min: -1_000_000n, max: 10n ** 9n }),
        async (terms, more) => {
          const paid = terms.depositAmount + more
          const decision = await reprice(terms, paid)
          if (decision.action === 'refund') return
          expect(cut(decision.amount)).toBe(decision.amount)
          expect(decision.amount >= terms.minimumPayout).toBe(true)
          expect(decision.amount + decision.excess + decision.fees).toBe(paid)
          expect(decision.fees >= 0n).toBe(true)
        },
      ),
    )
  })

  it('a deposit above the quoted one is not refunded for digits that no payment carries of its minimum', async () => {
    const terms = await quote({ amount: EXACT, slippageTolerance: '0' })
    expect(await reprice(terms, terms.depositAmount + 1_111_111n)).toMatchObject({ action: 'fill' })
  })
})
