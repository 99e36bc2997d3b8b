import { destinationText, type Hex } from '@causeway/core'
import type { RecordDeposit, RecordFacts, RecordPayout, RecordTx, RequestStatus } from '@causeway/core/plugin'
import { Random } from './random.js'
import { addressOn, SEEDED_CHAINS, type SeededChain, type SeededCurrency, txOn } from './seededChains.js'
import { unitsOf } from './seededMoney.js'
import { quotedOf } from './seededQuote.js'

/** When the last seeded request was made; the others lie before it. Unix milliseconds. */
export const SEEDED_UNTIL = Date.UTC(2026, 0, 1)
/** Over how many days before it they lie. */
export const SEEDED_DAYS = 180
const DAY_MS = 86_400_000
/** Wallets share requests unequally: one has this much of all. */
const LARGEST_WALLET = 0.04
const REQUESTS_OF_A_WALLET = 10

const STATUSES: readonly (readonly [share: number, status: RequestStatus])[] = [
  [0.9, 'success'],
  [0.04, 'refund'],
  [0.03, 'failure'],
  [0.01, 'waiting'],
  [0.005, 'depositing'],
  [0.01, 'pending'],
  [0.005, 'submitted'],
]
const REASONS = [
  'TTL_EXPIRED',
  'SLIPPAGE',
  'SOLVER_CAPACITY_EXCEEDED',
  'TRANSACTION_REVERTED',
  'TOO_LITTLE_RECEIVED',
] as const

/** The keys that ask, the busiest first; a third of all requests has none. */
export const SEEDED_KEYS = ['seed-key-1', 'seed-key-2', 'seed-key-3', 'seed-key-4', 'seed-key-5'] as const
const KEYLESS = 0.33

export interface SeedPlan {
  readonly requests: number
  readonly seed: number
  /** Whose everything is, in place of several. */
  readonly owner?: { readonly apiKeyId: string; readonly integratorId: string }
}

const statusOf = (random: Random): RequestStatus => {
  let left = random.share()
  for (const [share, status] of STATUSES) {
    left -= share
    if (left < 0) return status
  }
  return 'success'
}

/** The address of a wallet on a chain: the same one whenever it is asked for. */
export const walletAddress = (seed: number, wallet: number, vmType: string): string =>
  addressOn(vmType, new Random(`${seed}/wallet/${vmType}/${wallet}`))

/** The wallet with the most requests, which moves between EVM chains only. */
export const largestWallet = (seed: number): string => walletAddress(seed, 0, 'evm')

const hex = (random: Random): Hex => `0x${random.hex(32)}`

interface Sides {
  readonly from: SeededChain
  readonly to: SeededChain
  readonly currencyIn: SeededCurrency
  readonly currencyOut: SeededCurrency
}

const EVM = SEEDED_CHAINS.filter(({ vmType }) => vmType === 'evm') as [SeededChain, ...SeededChain[]]

const sidesOf = (random: Random, chains: readonly [SeededChain, ...SeededChain[]]): Sides => {
  const [from, to] = [random.skewed(chains), random.skewed(chains)]
  return { from, to, currencyIn: random.skewed(from.currencies), currencyOut: random.skewed(to.currencies) }
}

const walletOf = (random: Random, { requests }: SeedPlan): number =>
  random.chance(LARGEST_WALLET) ? 0 : 1 + Math.floor(Math.max(1, requests / REQUESTS_OF_A_WALLET) * random.share() ** 2)

/** Everything of one request as its record shows it; the n-th of a seed is always the same. Unpaid ones have no transaction. */
export const seededRequest = (plan: SeedPlan, n: number): RecordFacts => {
  const random = new Random(`${plan.seed}/${n}`)
  const status = statusOf(random)
  const wallet = walletOf(random, plan)
  const sides = sidesOf(random, wallet === 0 ? EVM : SEEDED_CHAINS)
  const { from, to, currencyIn, currencyOut } = sides
  const user = walletAddress(plan.seed, wallet, from.vmType)
  const recipient = walletAddress(plan.seed, random.chance(0.9) ? wallet : walletOf(random, plan), to.vmType)
  const micros = BigInt(Math.floor(1_000_000 * 10 ** (random.share() * 4)))
  const fee = micros / 500n + 20_000n
  const createdAt =
    SEEDED_UNTIL - Math.floor(((plan.requests - n) / plan.requests) * SEEDED_DAYS * DAY_MS) - random.below(20)
  const depositAddress = random.chance(0.1) ? addressOn(from.vmType, random) : null
  const drawnKey = random.chance(KEYLESS) ? null : random.skewed(SEEDED_KEYS)
  const key = plan.owner?.apiKeyId ?? drawnKey
  const base = {
    id: hex(random),
    orderId: hex(random),
    amountIn: unitsOf(currencyIn, micros + fee),
    amountOut: unitsOf(currencyOut, micros),
  }
  const failed = status === 'failure' || status === 'refund'
  const quoted = quotedOf({ ...sides, ...base, user, recipient, micros, fee })
  const facts: RecordFacts = {
    id: base.id,
    status,
    unpaid: false,
    transferTx: null,
    recoveryAddress: null,
    parentId: null,
    supersededBy: null,
    orderId: base.orderId,
    terms: {
      requestId: base.id,
      orderId: base.orderId,
      tradeType: 'EXACT_INPUT',
      user,
      recipient: { address: recipient },
      refundTo: { address: user },
      origin: { chainId: from.id, currency: currencyIn.json.address },
      destination: { chainId: to.id, currency: currencyOut.json.address },
      depositAmount: base.amountIn,
      minimumDeposit: base.amountIn,
      payoutAmount: base.amountOut,
      minimumPayout: (base.amountOut * 99n) / 100n,
      fillCost: unitsOf(currencyIn, 20_000n),
      networkFee: 0n,
      feesIn: unitsOf(currencyIn, fee),
      quotedAt: createdAt - 5_000,
      priceUntil: createdAt + 25_000,
      orderDeadline: Math.floor(createdAt / 1_000) + 604_800,
      fillBy: null,
      latePaymentSlippageBps: 50,
      trueExactOutput: false,
      forceRefund: false,
    },
    quoted,
    body: bodyOf(sides, user, recipient, base.amountIn),
    order: { version: 'v1', solver: to.solver, solverChainId: to.slug, salt: random.hex(16), inputs: [], output: {} },
    requestType: String(quoted.requestType),
    features: quoted.features,
    user,
    recipient,
    refundTo: user,
    depositAddress,
    given: null,
    received: null,
    refunded: null,
    depositor: depositAddress === null || status === 'waiting' ? null : addressOn(from.vmType, random),
    refundReason: status === 'refund' && random.chance(0.5) ? 'TTL_EXPIRED' : null,
    failReason: failed ? random.skewed(REASONS) : null,
    refundFailReason: status === 'failure' ? 'AMOUNT_TOO_LOW_TO_REFUND' : null,
    details: null,
    failedCall: null,
    integratorId: key === null ? null : (plan.owner?.integratorId ?? `integrator-of-${key}`),
    apiKeyId: key,
    referrer: key === null ? null : random.skewed(['wallet.example', 'swap.example', 'games.example']),
    externalMetadata: random.chance(0.02) ? { moonpayId: random.hex(8) } : null,
    quotedAt: createdAt - 5_000,
    createdAt,
    updatedAt: createdAt + (status === 'waiting' ? 0 : 1_000 + random.below(30_000)),
    txs: [],
    deposits: [],
    payouts: [],
    collected: [],
  }
  return status === 'waiting' ? facts : { ...facts, ...movementsOf(facts, sides, random) }
}

const bodyOf = ({ from, to, currencyIn, currencyOut }: Sides, user: string, recipient: string, amount: bigint) => ({
  user,
  recipient,
  originChainId: from.id,
  destinationChainId: to.id,
  originCurrency: currencyIn.json.address,
  destinationCurrency: currencyOut.json.address,
  amount: amount.toString(),
  tradeType: 'EXACT_INPUT',
})

type Movements = Pick<RecordFacts, 'txs' | 'deposits' | 'payouts'>

/** The deposit, what was paid for it, and the transactions of both. */
const movementsOf = (facts: RecordFacts, sides: Sides, random: Random): Movements => {
  const { from, to } = sides
  const { status, terms } = facts
  const included = status !== 'depositing'
  const deposit: RecordDeposit = {
    chainId: from.id,
    txId: txOn(from.vmType, random),
    onchainId: hex(random),
    depositor: facts.depositor ?? facts.user,
    depository: from.depository,
    currency: terms.origin.currency,
    amount: terms.depositAmount,
    state: included ? 'included' : 'seen',
    outcome: status === 'success' || status === 'submitted' ? 'fill' : status === 'refund' ? 'refund' : null,
    withdrawn: status === 'success',
  }
  const depositedAt = Math.floor(facts.createdAt / 1_000)
  const inTx = txOf(deposit, facts, random, { purpose: 'deposit', at: included ? depositedAt : null })
  const payout = payoutOf(facts, from, to)
  if (payout === null) return { txs: [inTx], deposits: [deposit], payouts: [] }
  const paidAt = status === 'submitted' ? null : depositedAt + 1 + random.below(25)
  const chain = payout.purpose === 'fill' ? to : from
  const outTx = txOf({ chainId: chain.id, txId: txOn(chain.vmType, random) }, facts, random, {
    purpose: payout.purpose,
    at: paidAt,
  })
  return { txs: [inTx, outTx], deposits: [deposit], payouts: [payout] }
}

const txOf = (
  place: { readonly chainId: number; readonly txId: string },
  facts: RecordFacts,
  random: Random,
  { purpose, at }: { readonly purpose: string; readonly at: number | null },
): RecordTx => ({
  direction: purpose === 'deposit' ? 'in' : 'out',
  purpose,
  chainId: place.chainId,
  txId: place.txId,
  // About one block a second, so that heights rise with time.
  blockHeight: at === null ? null : BigInt(at - 1_700_000_000),
  blockHash: at === null ? null : hex(random),
  blockTime: at,
  fee: at === null ? null : BigInt(1 + random.below(1e9)),
  status: at === null ? 'pending' : 'success',
  data: { from: facts.user, to: facts.recipient, data: hex(random), value: '0' },
  stateChanges: null,
  reorg: null,
})

const payoutOf = (
  { status, terms, refundTo }: RecordFacts,
  from: SeededChain,
  to: SeededChain,
): RecordPayout | null => {
  if (status === 'success' || status === 'submitted') {
    return {
      purpose: 'fill',
      chainId: to.id,
      signer: to.solver,
      recipient: destinationText(terms.recipient),
      currency: terms.destination.currency,
      amount: terms.payoutAmount,
      fees: terms.feesIn,
      data: null,
      state: status === 'success' ? 'final' : 'signed',
      failReason: null,
      attempted: true,
      txId: null,
      networkFee: null,
    }
  }
  if (status !== 'refund') return null
  return {
    purpose: 'refund',
    chainId: from.id,
    signer: from.solver,
    recipient: refundTo ?? terms.user,
    currency: terms.origin.currency,
    amount: terms.depositAmount,
    fees: 0n,
    data: null,
    state: 'final',
    failReason: null,
    attempted: true,
    txId: null,
    networkFee: null,
  }
}
