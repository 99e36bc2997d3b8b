import type { Chain } from '../../chain/chainRegistry.js'
import type { AmountJson } from '../../http/openapi/sharedSchemas.js'
import { formatAmount } from '../../money/amount.js'
import type { Hex } from '../../money/hex.js'
import { tonHash } from '../../order/encoding/tonHash.js'
import type { RecordDeposit, RecordFacts, RecordPayout, RecordTx } from '../recordFacts.js'
import { buildRecord } from './buildRecord.js'
import type { RecordContext } from './recordContext.js'

export const ID: Hex = `0x${'11'.repeat(32)}`
export const ORDER: Hex = `0x${'22'.repeat(32)}`
export const USER = '0xaa00000000000000000000000000000000000001'
export const SOLVER = '0xbb00000000000000000000000000000000000002'
export const USDC_1 = '0xc100000000000000000000000000000000000001'
export const USDC_2 = '0xc200000000000000000000000000000000000002'
export const NATIVE = '0x0000000000000000000000000000000000000000'

export const amountOf = (
  chainId: number,
  address: string,
  decimals: number,
  amount: bigint,
  usd: string,
): AmountJson => ({
  currency: { chainId, address, symbol: 'USDC', name: 'USD Coin', decimals, vmType: 'evm', metadata: {} },
  amount: amount.toString(),
  amountFormatted: formatAmount(amount, decimals),
  amountUsd: usd,
  minimumAmount: amount.toString(),
})

const usdc1 = (amount: bigint, usd: string) => amountOf(1, USDC_1, 6, amount, usd)
const usdc2 = (amount: bigint, usd: string) => amountOf(2, USDC_2, 18, amount, usd)

/** 100 USDC with 6 decimals for 99.95 with 18; execution 0.03, platform 0.02. */
export const QUOTED = {
  requestType: 'Bridge',
  fees: {
    gas: amountOf(1, NATIVE, 18, 1_000_000_000_000_000n, '2.000000'),
    relayer: usdc1(50_000n, '0.050000'),
    relayerGas: usdc1(10_000n, '0.010000'),
    relayerService: usdc1(40_000n, '0.040000'),
    app: usdc1(0n, '0.000000'),
    subsidized: usdc1(0n, '0.000000'),
  },
  details: {
    operation: 'bridge',
    sender: USER,
    recipient: USER,
    currencyIn: usdc1(100_000_000n, '100.000000'),
    currencyOut: usdc2(99_950_000_000_000_000_000n, '99.950000'),
    rate: '0.9995',
    timeEstimate: 7,
    slippageTolerance: { total: '50' },
    expandedPriceImpact: {
      swap: { usd: '0.000000' },
      execution: { usd: '-0.030000' },
      relay: { usd: '-0.020000' },
      app: { usd: '0.000000' },
      sponsored: { usd: '0.000000' },
    },
    route: {
      origin: {
        inputCurrency: usdc1(100_000_000n, '100.000000'),
        outputCurrency: usdc1(100_000_000n, '100.000000'),
        router: 'relay',
      },
      destination: {
        inputCurrency: usdc2(99_950_000_000_000_000_000n, '99.950000'),
        outputCurrency: usdc2(99_950_000_000_000_000_000n, '99.950000'),
        router: 'relay',
      },
    },
  },
}

/** An unpaid quote; everything else is `facts` with more. */
export const factsWith = (more: Partial<RecordFacts> = {}): RecordFacts => ({
  id: ID,
  status: 'waiting',
  unpaid: false,
  parentId: null,
  supersededBy: null,
  orderId: ORDER,
  terms: {
    requestId: ID,
    orderId: ORDER,
    tradeType: 'EXACT_INPUT',
    user: USER,
    recipient: { address: USER },
    refundTo: { address: USER },
    origin: { chainId: 1, currency: USDC_1 },
    destination: { chainId: 2, currency: USDC_2 },
    depositAmount: 100_000_000n,
    minimumDeposit: 99_000_000n,
    payoutAmount: 99_950_000_000_000_000_000n,
    minimumPayout: 99_000_000_000_000_000_000n,
    fillCost: 10_000n,
    networkFee: 0n,
    feesIn: 50_000n,
    quotedAt: 1_790_000_000_000,
    priceUntil: 1_790_000_030_000,
    orderDeadline: 1_790_600_000,
    fillBy: null,
    latePaymentSlippageBps: 50,
    trueExactOutput: false,
    forceRefund: false,
  },
  quoted: QUOTED,
  given: null,
  received: null,
  refunded: null,
  body: {},
  order: { solver: SOLVER, solverChainId: 'one' },
  requestType: 'Bridge',
  features: [],
  user: USER,
  recipient: USER,
  refundTo: USER,
  depositAddress: null,
  depositor: null,
  transferTx: null,
  recoveryAddress: null,
  refundReason: null,
  failReason: null,
  refundFailReason: null,
  details: null,
  failedCall: null,
  integratorId: null,
  apiKeyId: null,
  referrer: null,
  externalMetadata: null,
  quotedAt: 1_790_000_000_000,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_001_000,
  txs: [],
  deposits: [],
  payouts: [],
  collected: [],
  ...more,
})

export const depositOf = (more: Partial<RecordDeposit> = {}): RecordDeposit => ({
  chainId: 1,
  txId: '0xd1',
  onchainId: `0x${'33'.repeat(32)}`,
  depositor: USER,
  depository: '0xdd',
  currency: USDC_1,
  amount: 100_000_000n,
  state: 'included',
  outcome: null,
  withdrawn: false,
  ...more,
})

export const payoutOf = (more: Partial<RecordPayout> = {}): RecordPayout => ({
  purpose: 'fill',
  chainId: 2,
  signer: SOLVER,
  recipient: USER,
  currency: USDC_2,
  amount: 99_950_000_000_000_000_000n,
  fees: 50_000n,
  data: {},
  state: 'final',
  failReason: null,
  attempted: true,
  txId: '0xf1',
  networkFee: 21_000n,
  ...more,
})

export const txOf = (more: Partial<RecordTx> = {}): RecordTx => ({
  direction: 'in',
  purpose: 'deposit',
  chainId: 1,
  txId: '0xd1',
  blockHeight: 12n,
  blockHash: '0xb1',
  blockTime: 1_790_000_000,
  fee: 500_000_000_000_000n,
  status: 'success',
  data: { from: USER, to: '0xdd', data: '0x01', value: '0' },
  stateChanges: null,
  reorg: null,
  ...more,
})

export const fillTx = (more: Partial<RecordTx> = {}): RecordTx =>
  txOf({ direction: 'out', purpose: 'fill', chainId: 2, txId: '0xf1', ...more })

const chain = (id: number, slug: string, vmType: string): Chain =>
  // CAST: a record reads nothing else of a chain.
  ({
    config: { id, slug },
    adapter: { vmType, ...(vmType === 'tonvm' ? { shownTransactionId: tonHash } : {}) },
  }) as unknown as Chain

const CHAINS = [chain(1, 'one', 'evm'), chain(2, 'two', 'evm'), chain(3, 'ton', 'tonvm')]

export const CONTEXT: RecordContext = {
  currencies: {
    find: () => undefined,
    native: (chainId) => ({
      chainId,
      address: NATIVE,
      symbol: 'ETH',
      name: 'Ether',
      decimals: 18,
      vmType: 'evm',
      groupId: 'eth',
      metadata: { logoURI: '', verified: true, isNative: true },
    }),
  },
  chains: { find: (id) => CHAINS.find(({ config }) => config.id === id), all: () => CHAINS },
  partnerKey: 'moonpayId',
}

export const build = (more: Partial<RecordFacts> = {}) => buildRecord(factsWith(more), CONTEXT)

/** Facts of a request whose fill has landed. */
export const filled: Partial<RecordFacts> = {
  status: 'success',
  deposits: [depositOf({ outcome: 'fill' })],
  payouts: [payoutOf()],
  txs: [txOf(), fillTx()],
}

/** Members of a payout that is a refund. */
export const refund = {
  purpose: 'refund',
  chainId: 1,
  currency: USDC_1,
  amount: 99_990_000n,
  fees: 10_000n,
  txId: '0xe1',
}
