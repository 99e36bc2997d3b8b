import { oraclePriceFacts, platformFeeFacts } from '../rules/ruleFacts.js'
import { isOracle } from './fees.js'
import type { PricedQuote } from './pricedQuote.js'

/** What the record tells of an agreement with the integrator; nothing where there is none (wire.md 3.1, D.8). */
export const agreedFacts = (quote: PricedQuote): object => {
  const { rule, pair, book, plan, platformAmount, depositAmount, payAmount } = quote
  if (rule === null) return {}
  const total = BigInt(rule.relayFeeBps + rule.integratorFeeBps)
  const integratorFee = total === 0n ? 0n : (platformAmount * BigInt(rule.integratorFeeBps)) / total
  const platformFee = platformFeeFacts(rule, {
    bucket: plan.pairClass,
    currency: pair.deposit,
    price: book.of(pair.deposit),
    relayFee: platformAmount - integratorFee,
    integratorFee,
  })
  if (!isOracle(rule)) return { platformFee }
  const input = { money: { currency: pair.deposit, amount: depositAmount }, price: book.observed(pair.deposit) }
  const output = { currency: pair.pay, price: book.observed(pair.pay) }
  return { platformFee, quoteOraclePrice: oraclePriceFacts({ input, output }, payAmount) }
}
