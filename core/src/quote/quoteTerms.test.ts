import { expect, it } from 'vitest'
import { parseTerms, type QuoteTerms, serializeTerms } from './quoteTerms.js'

const terms: QuoteTerms = {
  requestId: '0x01',
  orderId: '0x02',
  tradeType: 'EXACT_INPUT',
  user: 'user',
  recipient: { address: 'recipient' },
  refundTo: null,
  origin: { chainId: 1, currency: 'a' },
  destination: { chainId: 2, currency: 'b' },
  depositAmount: 1000n,
  minimumDeposit: 990n,
  payoutAmount: 900n,
  minimumPayout: 890n,
  fillCost: 5n,
  networkFee: 7n,
  feesIn: 100n,
  quotedAt: 1,
  priceUntil: 2,
  orderDeadline: 3,
  fillBy: null,
  latePaymentSlippageBps: 50,
  trueExactOutput: false,
  forceRefund: false,
  swap: { to: 'c', amount: 80n, minimum: 79n, limits: { maxHops: 3 } },
}

it('amounts keep the keys that rows have for ever, and nothing else is renamed', () => {
  const { depositAmount, minimumDeposit, payoutAmount, minimumPayout, ...others } = JSON.parse(serializeTerms(terms))
  expect([depositAmount, minimumDeposit, payoutAmount, minimumPayout]).toEqual(Array(4).fill(undefined))
  expect(others).toMatchObject({ amountIn: '1000', minimumIn: '990', amountOut: '900', minimumOut: '890' })
  expect(Object.keys(others)).toHaveLength(Object.keys(terms).length)
})

it('reads back what it wrote', () => {
  expect(parseTerms(serializeTerms(terms))).toEqual(terms)
})
