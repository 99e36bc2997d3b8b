import { randomBytes, randomInt } from 'node:crypto'
import type { Hex } from '../../money/hex.js'
import type { NewQuote } from '../quoteStore.js'

const random = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`

const SOLVER = random(20)
const DOLLAR = random(20)
const ROUTER = `0x${'0'.repeat(24)}${randomBytes(20).toString('hex')}`
const ZERO = { usd: '0.000000', percent: '0.00' }

const currency = (chainId: number, decimals: number, address: string = DOLLAR) => ({
  ...{ chainId, address, symbol: 'USDC', name: 'USD Coin', decimals, vmType: 'evm' },
  metadata: { logoURI: '', verified: true, isNative: false },
})

const worth = (of: ReturnType<typeof currency>, amount: bigint, minimumAmount = amount) => {
  const text = (Number(amount) / 10 ** of.decimals).toFixed(6)
  return {
    ...{ currency: of, amount: `${amount}`, amountFormatted: text, amountUsd: text },
    minimumAmount: `${minimumAmount}`,
  }
}

/** A transfer of dollars between two EVM chains with the texts that plugin-quote stores for it, under fresh ids and addresses. */
export const usualQuote = (now: number, holder: string | null): NewQuote => {
  const [user, requestId, orderId] = [random(20), random(32), random(32)]
  const [gas, fee, paid] = [BigInt(randomInt(1e14)), BigInt(randomInt(1e5)), 10_000_000n + BigInt(randomInt(1e6))]
  const service = 20_000n
  const [payout, minimum] = [(paid - fee - service) * 10n ** 12n, (paid - fee - service) * 98n * 10n ** 10n]
  const deadline = Math.floor(now / 1000) + 604_800
  const [origin, destination] = [currency(8453, 6), currency(42_161, 18)]
  const [given, got] = [worth(origin, paid), worth(destination, payout, minimum)]
  const side = { inputCurrency: given, outputCurrency: given, router: 'relay' }
  const details = {
    ...{ operation: 'bridge', sender: user, recipient: user, currencyIn: given, currencyOut: got },
    ...{ totalImpact: { usd: `-0.${fee}`, percent: '-1.24' }, swapImpact: ZERO, rate: `0.98${fee}` },
    slippageTolerance: { total: '155', origin: { ...ZERO, value: '0' }, destination: { ...ZERO, value: `${minimum}` } },
    ...{ timeEstimate: 5, userBalance: '0', refundCurrency: given },
    expandedPriceImpact: { swap: ZERO, execution: { usd: `-0.${fee}` }, relay: ZERO, app: ZERO, sponsored: ZERO },
    route: { origin: side, destination: { inputCurrency: got, outputCurrency: got, router: 'relay' } },
    isFixedRate: false,
  }
  const fees = {
    ...{ gas: worth(currency(8453, 18, `0x${'0'.repeat(40)}`), gas), relayer: worth(origin, fee + service) },
    ...{ relayerGas: worth(origin, fee), relayerService: worth(origin, service) },
    ...{ app: worth(origin, 0n), subsidized: worth(origin, 0n) },
  }
  const refund = { chainId: 'base', recipient: user, currency: DOLLAR, minimumAmount: '0', deadline, extraData: ROUTER }
  const payment = {
    recipient: user,
    currency: DOLLAR,
    minimumAmount: `${minimum}`,
    expectedAmount: `${payout}`,
  }
  return {
    terms: {
      ...{ requestId, orderId, tradeType: 'EXACT_INPUT' as const, user },
      ...{ recipient: { address: user }, refundTo: { address: user } },
      origin: { chainId: 8453, currency: DOLLAR },
      destination: { chainId: 42_161, currency: DOLLAR },
      ...{ depositAmount: paid, minimumDeposit: paid - 155_000n, payoutAmount: payout, minimumPayout: minimum },
      ...{ fillCost: fee, networkFee: gas, feesIn: fee + service, quotedAt: now, priceUntil: now + 30_000 },
      ...{ orderDeadline: deadline, fillBy: null, latePaymentSlippageBps: 155 },
      ...{ trueExactOutput: false, forceRefund: false },
    },
    caller: { integratorId: random(16).slice(2), apiKeyId: random(16).slice(2) },
    body: JSON.stringify({
      ...{ user, recipient: user, originChainId: 8453, destinationChainId: 42_161 },
      ...{ originCurrency: DOLLAR, destinationCurrency: DOLLAR, amount: `${paid}`, tradeType: 'EXACT_INPUT' },
    }),
    quoted: JSON.stringify({
      ...{ requestType: 'Bridge', operation: 'bridge', fees, details, feeSponsorship: null, features: [] },
    }),
    order: JSON.stringify({
      ...{ version: 'v1', solverChainId: 'base', solver: SOLVER, salt: random(32) },
      inputs: [{ payment: { chainId: 'base', currency: DOLLAR, amount: `${paid}`, weight: '1' }, refunds: [refund] }],
      output: { chainId: 'arbitrum', payments: [payment], calls: [], deadline, extraData: ROUTER },
      fees: [],
    }),
    referrer: null,
    holder,
    hold: { chainId: 42_161, currency: DOLLAR, amount: payout, seconds: 30 },
  }
}

/** The currency of the hold of a `usualQuote`. */
export const USUAL_PAYOUT = { chainId: 42_161, currency: DOLLAR }
