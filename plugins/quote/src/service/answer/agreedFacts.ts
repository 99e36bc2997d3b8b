import { oraclePriceFacts, platformFeeFacts } from '../../rules/ruleFacts.js'
import { isOracle } from '../pricing/fees.js'
import type { PricedQuote } from '../pricing/pricedQuote.js'

/** The integrator's part of the platform fee, in the deposited currency; 0 without an agreement. */
export const integratorPart = ({ plan: { rule }, platformAmount }: PricedQuote): bigint => {
  if (rule === null) return 0n
  const total = BigInt(rule.relayFeeBps + rule.integratorFeeBps)
  return total === 0n ? 0n : (platformAmount * BigInt(rule.integratorFeeBps)) / total
}

/** What the record tells of an agreement with the integrator; nothing where there is none (wire.md 3.1, D.8). */
export const agreedFacts = (quote: PricedQuote): object => {
  const { pair, book, plan, platformAmount, depositAmount, payoutAmount } = quote
  const { rule } = plan
  if (rule === null) return {}
  const integratorFee = integratorPart(quote)
  const platformFee = platformFeeFacts(rule, {
    bucket: plan.pairClass,
    currency: pair.deposit,
    price: book.of(pair.deposit),
    relayFee: platformAmount - integratorFee,
    integratorFee,
  })
  if (!isOracle(rule)) return { platformFee }
  const input = { money: { currency: pair.deposit, amount: depositAmount }, price: book.observed(pair.deposit) }
  const output = { currency: pair.payout, price: book.observed(pair.payout) }
  return { platformFee, quoteOraclePrice: oraclePriceFacts({ input, output }, payoutAmount) }
}
