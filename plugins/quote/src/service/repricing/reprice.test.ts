import type { Caller, QuoteTerms, RepriceDecision } from '@causeway/core/plugin'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { ANY_AMOUNT } from '../../fixtures/payableDouble.js'
import {
  ANYONE,
  createQuoteWorld,
  INTEGRATOR,
  type QuoteWorld,
  RECIPIENT,
  usdcBody,
} from '../../fixtures/quoteWorld.js'
import { sameAsset } from '../pricing/conversion.js'
import { decideLate, minimumFor } from './reprice.js'

let world: QuoteWorld
beforeEach(() => {
  world = createQuoteWorld()
})

const quote = async (changes: object = {}, caller: Caller = ANYONE): Promise<QuoteTerms> => {
  await world.service.quote({ body: usdcBody({ ...changes }), caller })
  const stored = world.store.inserted.at(-1)
  if (stored === undefined) throw new Error('The quote was not stored')
  return stored.terms
}
const reprice = (terms: QuoteTerms, amount: bigint, includedAt = world.clock.time) =>
  world.service.reprice(terms, { amount, includedAt })
const amountOf = (decision: RepriceDecision) => (decision.action === 'fill' ? decision.amount : decision.reason)

describe('a recipient that a list names since the quote (wire.md K.4 2)', () => {
  it.each(['blockedWallets', 'sanctionedWallets'] as const)(
    '%s: nothing is paid to it: BLOCKED_WALLET',
    async (list) => {
      const terms = await quote({ recipient: RECIPIENT })
      expect(await reprice(terms, terms.depositAmount)).toMatchObject({ action: 'fill' })
      // CAST: a set of the test's own.
      const names = world.settings[list] as Set<string>
      names.add(RECIPIENT.toLowerCase())
      expect(await reprice(terms, terms.depositAmount)).toEqual({ action: 'refund', reason: 'BLOCKED_WALLET' })
    },
  )
})

describe('the part of an integrator in the fees (wire.md D.1)', () => {
  const RULE = {
    ruleId: 1,
    integratorId: 'partner',
    bucket: 'any',
    integratorFeeRecipient: RECIPIENT,
    oracleBps: null,
  } as const
  const partOf = (decision: RepriceDecision) =>
    decision.action === 'fill' ? decision.integratorFee?.amount : decision.reason

  it('is the quoted one, and grows and shrinks with the deposit', async () => {
    world.rules.push({ ...RULE, relayFeeBps: 10, integratorFeeBps: 30 })
    const terms = await quote({}, INTEGRATOR)
    expect(terms.integratorFee).toEqual({ integratorId: 'partner', amount: (terms.depositAmount * 30n) / 10_000n })
    const part = terms.integratorFee?.amount ?? 0n
    expect(partOf(await reprice(terms, terms.depositAmount))).toBe(part)
    expect(partOf(await reprice(terms, 2n * terms.depositAmount))).toBe(2n * part)
    world.clock.time += 31_000
    expect(partOf(await reprice(terms, terms.depositAmount))).toBe(part)
  })

  it('is not of what an exact output leaves over, and never more than the fees leave beside the network cost', async () => {
    world.rules.push({ ...RULE, relayFeeBps: 0, integratorFeeBps: 100 })
    const terms = await quote({ tradeType: 'EXACT_OUTPUT', latePaymentSlippageTolerance: '10000' }, INTEGRATOR)
    const part = terms.integratorFee?.amount ?? 0n
    expect(partOf(await reprice(terms, terms.depositAmount + 1_000_000n))).toBe(part)
    world.clock.time += 31_000
    world.mood.payoutFee *= 3n
    const late = await reprice(terms, terms.depositAmount)
    if (late.action !== 'fill') throw new Error(`It was not filled: ${late.reason}`)
    expect(late.integratorFee?.amount).toBeLessThan(part)
    expect(late.fees).toBe(terms.feesIn)
  })

  it('without one there is none', async () => {
    world.rules.push({ ...RULE, relayFeeBps: 40, integratorFeeBps: 0 })
    expect(await quote({}, INTEGRATOR)).not.toHaveProperty('integratorFee')
  })
})

describe('while the price stands (wire.md D.5, D.6)', () => {
  it('fills the quoted deposit with the quoted output', async () => {
    for (const tradeType of ['EXACT_INPUT', 'EXPECTED_OUTPUT', 'EXACT_OUTPUT']) {
      const terms = await quote({ tradeType })
      const fill = {
        action: 'fill',
        amount: terms.payoutAmount,
        excess: 0n,
        fees: terms.feesIn,
        networkFee: terms.networkFee,
      }
      expect(await reprice(terms, terms.depositAmount)).toEqual(fill)
    }
  })

  it('scales the output with the deposit, more or less, down to the smallest input', async () => {
    const terms = await quote()
    expect(amountOf(await reprice(terms, 2n * terms.depositAmount))).toBe(2n * terms.payoutAmount)
    expect(amountOf(await reprice(terms, terms.minimumDeposit))).toBe(terms.minimumPayout)
    expect(amountOf(await reprice(terms, terms.minimumDeposit - 1n))).toBe('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
  })

  it('grows the minimum with a deposit above the quoted one, swaps included (wire.md D.6)', async () => {
    const terms = await quote({ latePaymentSlippageTolerance: '10000' })
    const double = 2n * terms.depositAmount
    world.clock.time += 31_000
    // Above the minimum of the quoted deposit, below that of twice as much.
    world.mood.payoutFee = 50_000_000_000_000_000n
    expect(amountOf(await reprice(terms, double))).toBe('SLIPPAGE')
    const conversion = sameAsset({ origin: 6, destination: 6 })
    const context = { conversion, payable: ANY_AMOUNT, underpaymentToleranceBps: 1000n }
    const least = (of: QuoteTerms, paid: bigint) => minimumFor(of, of.minimumPayout, paid, context)
    expect(least(terms, double)).toBe(2n * terms.minimumPayout)
    expect(least(terms, terms.minimumDeposit)).toBe(terms.minimumPayout)
    expect(least({ ...terms, tradeType: 'EXACT_OUTPUT' }, double)).toBe(terms.minimumPayout)
  })

  it('pays an exact output exactly; what is over goes back, or to the solver when asked so', async () => {
    const terms = await quote({ tradeType: 'EXACT_OUTPUT' })
    const over = await reprice(terms, terms.depositAmount + 123n)
    expect(over).toMatchObject({ action: 'fill', amount: terms.payoutAmount, excess: 123n, fees: terms.feesIn })
    expect(amountOf(await reprice(terms, terms.depositAmount - 1n))).toBe('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
    const kept = await quote({ tradeType: 'EXACT_OUTPUT', enableTrueExactOutput: true })
    expect(await reprice(kept, kept.depositAmount + 123n)).toMatchObject({ excess: 0n, fees: kept.feesIn + 123n })
  })

  it('refunds by flag, time to live and order deadline', async () => {
    const forced = await quote({ referrer: 'debug-force-refund' })
    expect(amountOf(await reprice(forced, forced.depositAmount))).toBe('UNKNOWN')
    const brief = await quote({ ttl: 60 })
    const plain = await quote()
    world.clock.time += 61_000
    expect(amountOf(await reprice(brief, brief.depositAmount))).toBe('TTL_EXPIRED')
    expect(amountOf(await reprice(plain, plain.depositAmount))).toBe(plain.payoutAmount)
    world.clock.time += 7 * 86_400_000
    expect(amountOf(await reprice(plain, plain.depositAmount))).toBe('ORDER_EXPIRED')
  })

  it('honours debug-force-refund on mainnet only with the flag', async () => {
    world = createQuoteWorld({ network: 'mainnet' })
    expect((await quote({ referrer: 'debug-force-refund' })).forceRefund).toBe(false)
    world = createQuoteWorld({ network: 'mainnet', quote: { forceRefundReferrer: true } })
    expect((await quote({ referrer: 'debug-force-refund' })).forceRefund).toBe(true)
  })
})

describe('after the price expired (F15)', () => {
  const expire = () => {
    world.clock.time += 31_000
  }

  it('never pays more than quoted when the network became cheaper', async () => {
    const terms = await quote()
    expire()
    world.mood.payoutFee = 1n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe(terms.payoutAmount)
  })

  it('pays less by what the network cost grew, within the slippage', async () => {
    const terms = await quote()
    expire()
    // 0.02 dollars more of gas: 20,000 units of USDC.
    world.mood.payoutFee = 20_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe(terms.payoutAmount - 20_000n)
  })

  it('refunds instead of filling at the old price outside the tolerance', async () => {
    const terms = await quote()
    const strict = await quote({ latePaymentSlippageTolerance: '1' })
    expire()
    world.mood.payoutFee = 20_000_000_000_000n
    expect(amountOf(await reprice(strict, strict.depositAmount))).toBe('SLIPPAGE')
    world.clock.time += 60_000
    world.mood.payoutFee = 1_000_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe('SLIPPAGE')
    world.clock.time += 60_000
    world.mood.payoutFee = 100_000_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe('NEGATIVE_NEW_AMOUNT_AFTER_FEES')
  })

  it('bears growth of an exact output out of the service fee, never beyond it', async () => {
    const terms = await quote({ tradeType: 'EXACT_OUTPUT' })
    expire()
    world.mood.payoutFee = 20_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe(terms.payoutAmount)
    world.clock.time += 60_000
    world.mood.payoutFee = 20_001_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe('SLIPPAGE')
  })

  it('counts a deposit whose block came late as late', async () => {
    const terms = await quote()
    world.clock.time += 10_000
    world.mood.payoutFee = 1_000_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount, terms.priceUntil + 1))).toBe('SLIPPAGE')
  })

  it('F129: prices anew what a clock two hours ahead quoted: its price would stand for two hours', async () => {
    world.clock.time += 7_200_000
    const terms = await quote()
    world.clock.time -= 7_200_000
    world.mood.payoutFee = 1_000_000_000_000_000n
    expect(amountOf(await reprice(terms, terms.depositAmount))).toBe('SLIPPAGE')
  })

  it('asks again later when prices cannot be had', async () => {
    const terms = await quote()
    expire()
    world.prices.ETH = '0'
    await expect(reprice(terms, terms.depositAmount)).rejects.toMatchObject({
      code: 'PRICE_FETCH_FAILED',
      retryable: true,
    })
  })

  it('never pays under the minimum, more than the deposit is worth, or at a loss against the network cost', async () => {
    const templates = [
      await quote(),
      await quote({ tradeType: 'EXPECTED_OUTPUT' }),
      await quote({ tradeType: 'EXACT_OUTPUT' }),
    ]
    const conversion = sameAsset({ origin: 6, destination: 6 })
    const same = { conversion, payable: ANY_AMOUNT, underpaymentToleranceBps: 1000n }
    const one = (amount: bigint) => amount
    const rates = { toBalance: one, credited: one, toDeposit: one, charged: () => 0n }
    const context = { quoted: same, now: same, rates }
    fc.assert(
      fc.property(
        fc.constantFrom(...templates),
        fc.bigInt({ min: 0n, max: 10n ** 9n }),
        fc.bigInt({ min: 0n, max: 10n ** 8n }),
        fc.integer({ min: 0, max: 10_000 }),
        (template, extra, cost, late) => {
          const terms = { ...template, latePaymentSlippageBps: late }
          const amount = terms.minimumDeposit + extra
          const decision = decideLate(terms, { amount, includedAt: 0 }, { deposited: cost, fee: 0n }, context)
          if (decision.action === 'refund') return
          expect(decision.amount >= terms.minimumPayout).toBe(true)
          expect(decision.amount + decision.excess + decision.fees).toBe(amount)
          expect(decision.fees >= cost).toBe(true)
        },
      ),
    )
  })
})
