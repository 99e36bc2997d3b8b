import { describe, expect, it } from 'vitest'
import type { RecordFacts } from '../recordFacts.js'
import { buildRecord } from './buildRecord.js'
import {
  amountOf,
  build,
  CONTEXT,
  depositOf,
  factsWith,
  filled,
  fillTx,
  ID,
  NATIVE,
  ORDER,
  payoutOf,
  QUOTED,
  refund,
  SOLVER,
  txOf,
  USDC_1,
  USDC_2,
  USER,
} from './recordFixture.test.support.js'

const amounts = (side: { inputCurrency: unknown; outputCurrency: unknown } | undefined) =>
  [side?.inputCurrency, side?.outputCurrency].map((amount) =>
    amount === null || amount === undefined ? null : Reflect.get(Object(amount), 'amount'),
  )

describe('the record of a quote nobody paid', () => {
  it('has every field, none null that may not be (wire.md K.3 2)', () => {
    const record = build({ unpaid: true })
    expect(Object.keys(record).sort()).toEqual(
      [
        ...['id', 'status', 'user', 'sender', 'recipient', 'refundTo', 'depositAddress', 'requestType', 'features'],
        ...['supersededByRequestId', 'data', 'protocol', 'createdAt', 'updatedAt'],
      ].sort(),
    )
    expect(record).toMatchObject({
      id: ID,
      status: 'waiting',
      user: USER,
      sender: USER,
      recipient: USER,
      refundTo: null,
      depositAddress: null,
      requestType: 'Bridge',
      features: [],
      supersededByRequestId: null,
      createdAt: '2026-09-21T14:13:20.000Z',
      updatedAt: '2026-09-21T14:13:21.000Z',
      data: {
        slippageTolerance: '50',
        failReason: null,
        refundFailReason: null,
        failedTxHash: null,
        failedTxBlockNumber: null,
        failedCallData: null,
        usesExternalLiquidity: false,
        timeEstimate: 7,
        triggeredByFastFill: null,
        inTxs: [],
        outTxs: [],
        appFees: { quoted: [], actual: [] },
        feeSponsorship: null,
        quoteOraclePrice: null,
        refundCurrencyData: null,
        externalMetadata: { moonpayId: null },
      },
      protocol: {
        orderId: ORDER,
        hubType: 'onchain',
        isWithdrawable: false,
        solver: { address: SOLVER, protocolChainId: 'one', chainId: 1 },
        deposit: { origin: null },
        settlement: { destination: { fills: [], refunds: [] } },
      },
    })
  })

  it('actual is what was quoted, its rate too (rule 1, K.3 4)', () => {
    const { route } = build().data
    expect(route.actual).toEqual({ rate: '0.9995', ...route.quoted })
  })

  it('says quoted fees in dollars with their sign, and in the deposited currency without one (D.3)', () => {
    const { fees } = build().data
    expect(fees.quoted.execution).toEqual({ usd: '-0.030000', amount: '30000', amountFormatted: '0.03' })
    expect(fees.quoted.platform).toEqual({ usd: '-0.020000', amount: '20000', amountFormatted: '0.02' })
    expect(fees.quoted.app).toEqual({ usd: '0.000000', amount: '0', amountFormatted: '0.0' })
    expect(fees.currency.address).toBe(USDC_1)
    expect(fees.actual).toBeNull()
  })

  it('without an answer kept, is told from its terms', () => {
    const record = build({ quoted: {}, requestType: '', order: null })
    expect(record).toMatchObject({ requestType: 'Bridge', sender: USER, data: { timeEstimate: 0 } })
    expect(amounts(record.data.route.quoted.origin)).toEqual(['100000000', '100000000'])
    expect(record.protocol?.solver).toBeNull()
  })
})

describe('data.route.actual', () => {
  it('a deposit without a fill tried: what came in, nothing out of the first leg, the rest as quoted (rule 3)', () => {
    const { route } = build({ status: 'pending', deposits: [depositOf({ amount: 90_000_000n })] }).data
    expect(amounts(route.actual.origin)).toEqual(['90000000', null])
    expect(route.actual.origin.inputCurrency).toMatchObject({ amountUsd: '90.000000', amountFormatted: '90.0' })
    expect(route.actual.destination).toEqual(route.quoted.destination)
    expect(route.actual.rate).toBe('0.9995')
  })

  it('a fill that was decided on and never sent was not tried (rule 3)', () => {
    const never = payoutOf({ state: 'dead', attempted: false, txId: null })
    const { route } = build({ status: 'refund', deposits: [depositOf()], payouts: [never] }).data
    expect(route.actual.origin.outputCurrency).toBeNull()
    const tried = build({ deposits: [depositOf()], payouts: [payoutOf({ state: 'signed', txId: null })] }).data.route
    expect(tried.actual.origin.outputCurrency).not.toBeNull()
  })

  it('a deposit in another currency of another chain shows as it is, also one nobody knows', () => {
    const { route } = build({ deposits: [depositOf({ chainId: 2, currency: '0xee', amount: 5n })] }).data
    expect(route.actual.origin.inputCurrency).toMatchObject({
      amount: '5',
      amountUsd: '0.000000',
      currency: { chainId: 2, address: '0xee', decimals: 0 },
    })
  })

  it('a deposit that left the chain before any fill does not count', () => {
    const { route } = build({ deposits: [depositOf({ state: 'reorged' })] }).data
    expect(route.actual.origin).toEqual(route.quoted.origin)
  })

  it('a filled transfer shows what was deposited and paid, its rate and the dollars at the quoted price', () => {
    const paid = payoutOf({ amount: 89_955_000_000_000_000_000n })
    const { route, fees } = build({ ...filled, deposits: [depositOf({ amount: 90_000_000n })], payouts: [paid] }).data
    expect(amounts(route.actual.origin)).toEqual(['90000000', '90000000'])
    expect(amounts(route.actual.destination)).toEqual(['89955000000000000000', '89955000000000000000'])
    expect(route.actual.destination?.outputCurrency?.amountUsd).toBe('89.955000')
    expect(Number(route.actual.rate)).toBeCloseTo(0.9995, 12)
    const { swap, execution, platform, app } = fees.actual ?? {}
    expect([swap, execution, platform, app].map((part) => part?.usd)).toEqual([
      '0.003000',
      '-0.030000',
      '-0.018000',
      '0.000000',
    ])
  })

  it('the provider of each leg is the one that carried it; a swap within the fill says what it gave (rule 4)', () => {
    const swap = {
      ...{ source: 'uniswap-v3', from: USDC_2, to: NATIVE, amountIn: '1', amountOut: '50000000000000000', hops: 1 },
      ...{ midAmountOut: null, gas: '1', route: null, minimumOut: '1', deadline: 1 },
    }
    const topup = { currency: NATIVE, amount: '7' }
    const { route } = build({ ...filled, payouts: [payoutOf({ data: { swap, topup } })] }).data
    expect(route.actual.destination).toMatchObject({
      router: 'uniswap-v3',
      inputCurrency: { amount: '99950000000000000000' },
      outputCurrency: { amount: '50000000000000000', currency: { address: NATIVE } },
      currencyGasTopup: { amount: '7' },
    })
    expect(route.actual.origin.router).toBe('relay')
  })

  describe('of a fill with calls shows what they left; rate and fees go by what was moved (D.4, G.2)', () => {
    const ETHER = 10n ** 18n
    const eth = (amount: bigint, usd: string) => amountOf(2, NATIVE, 18, amount, usd)
    const callsOf = (value: bigint) => ({
      calls: [{ to: USER, data: '0x' as const, value }],
      gasLimit: null,
      delegations: [],
    })
    const { terms } = factsWith()
    const { route: _legs, ...details } = QUOTED.details

    it.each([
      ['some', (ETHER * 8n) / 10n, (ETHER * 2n) / 10n, '20.000000'],
      ['nothing', ETHER, 0n, '0.000000'],
    ])('native currency of which they leave %s', (_what, spent, left, usd) => {
      const facts: Partial<RecordFacts> = {
        ...filled,
        terms: { ...terms, destination: { chainId: 2, currency: NATIVE }, payoutAmount: ETHER, calls: callsOf(spent) },
        quoted: {
          ...QUOTED,
          details: { ...details, currencyOut: eth(left, usd) },
          wholeOutput: eth(ETHER, '100.000000'),
        },
        payouts: [payoutOf({ currency: NATIVE, amount: ETHER })],
      }
      const { route, fees } = build(facts).data
      expect(route.quoted.destination?.outputCurrency).toMatchObject({ amount: left.toString(), amountUsd: usd })
      expect(route.actual).toMatchObject({
        rate: '0.01',
        destination: {
          inputCurrency: { amount: ETHER.toString(), amountUsd: '100.000000' },
          outputCurrency: { amount: left.toString(), amountUsd: usd },
        },
      })
      // What was moved is worth what was given; the swap gave back the two fees.
      expect(fees.actual?.swap.usd).toBe('0.050000')
      // Of a request whose quote is not kept the terms tell.
      expect(build({ ...facts, quoted: {} }).data.route).toMatchObject({
        quoted: { destination: { outputCurrency: { amount: left.toString() } } },
        actual: { destination: { outputCurrency: { amount: left.toString() } } },
      })
    })

    it('a token, as the chain showed it', () => {
      const facts = { ...filled, terms: { ...terms, calls: callsOf(0n) }, received: 9_950_000_000_000_000_000n }
      const { route, fees } = build(facts).data
      expect(amounts(route.actual.destination)).toEqual(['99950000000000000000', '9950000000000000000'])
      expect(route.actual.destination?.outputCurrency?.amountUsd).toBe('9.950000')
      expect([route.actual.rate, fees.actual?.swap.usd]).toEqual(['0.9995', '0.000000'])
      // Until the chain showed it, all that was moved.
      expect(amounts(build({ ...facts, received: null }).data.route.actual.destination)[1]).toBe('99950000000000000000')
    })
  })

  it('a deposit swapped on its way keeps what the user gave as its input', () => {
    const currencyIn = amountOf(1, NATIVE, 18, 50_000_000_000_000_000n, '100.000000')
    const quoted = {
      ...QUOTED,
      details: {
        ...QUOTED.details,
        currencyIn,
        route: {
          ...QUOTED.details.route,
          origin: { ...QUOTED.details.route.origin, inputCurrency: currencyIn, router: 'uniswap-v3' },
        },
      },
    }
    const { route } = build({ ...filled, quoted }).data
    expect(amounts(route.actual.origin)).toEqual(['50000000000000000', '100000000'])
    expect(route.actual.origin.router).toBe('uniswap-v3')
  })

  it('within one chain there is no destination; what was received is the output of the origin (rule 2)', () => {
    const currencyOut = amountOf(1, NATIVE, 18, 3n, '99.000000')
    const { destination: _none, ...route } = QUOTED.details.route
    const quoted = { ...QUOTED, details: { ...QUOTED.details, currencyOut, route } }
    const direct = {
      ...factsWith().terms,
      destination: { chainId: 1, currency: NATIVE },
      direct: { kind: 'swap' as const },
    }
    const record = build({
      status: 'success',
      orderId: null,
      terms: direct,
      quoted,
      txs: [txOf(), fillTx({ chainId: 1 })],
    })
    expect(record.data.route.actual).not.toHaveProperty('destination')
    expect(amounts(record.data.route.actual.origin)).toEqual(['100000000', '3'])
    expect(record.protocol).toBeNull()
    const received = build({ status: 'success', orderId: null, terms: direct, quoted, received: 4n })
    expect(amounts(received.data.route.actual.origin)).toEqual(['100000000', '4'])
  })
})

describe('money that goes back', () => {
  it('a refund shows what arrived, what it cost and that nothing else was charged', () => {
    const record = build({
      status: 'refund',
      failReason: 'TTL_EXPIRED',
      deposits: [depositOf({ outcome: 'refund' })],
      payouts: [payoutOf(refund)],
      txs: [txOf(), fillTx({ purpose: 'refund', chainId: 1, txId: '0xe1' })],
    })
    expect(record.data).toMatchObject({
      failReason: 'TTL_EXPIRED',
      refundCurrencyData: { amount: '99990000', amountUsd: '99.990000' },
      fees: { actual: { execution: { usd: '-0.010000' }, swap: { usd: '0.000000' } } },
      outTxs: [{ txHash: '0xe1', chainId: 1 }],
    })
    expect(record.protocol?.settlement.destination).toEqual({
      fills: [],
      refunds: [{ chainId: 1, transactionId: '0xe1' }],
    })
  })

  it('isWithdrawable: the deposit is in the depository and nothing is signed or final (K.3 5)', () => {
    const of = (more: Partial<RecordFacts>) => build({ deposits: [depositOf()], ...more }).protocol?.isWithdrawable
    expect(of({})).toBe(true)
    expect(of({ payouts: [payoutOf({ state: 'ready', txId: null })] })).toBe(true)
    expect(of({ payouts: [payoutOf({ state: 'dead', txId: null })] })).toBe(true)
    for (const state of ['signed', 'included', 'final'] as const)
      expect(of({ payouts: [payoutOf({ state })] })).toBe(false)
    expect(of({ payouts: [payoutOf({ ...refund, state: 'signed' })] })).toBe(false)
    expect(of({ deposits: [depositOf({ withdrawn: true })] })).toBe(false)
    expect(of({ deposits: [depositOf({ state: 'reorged' })] })).toBe(false)
    expect(of({ deposits: [] })).toBe(false)
  })
})

describe('transactions', () => {
  it('TX has the fields of wire.md 3.1; what the solver moves between its own wallets is left out', () => {
    const withdrawal = fillTx({ purpose: 'withdraw', chainId: 1, txId: '0x99' })
    const { inTxs, outTxs } = build({ ...filled, txs: [txOf(), fillTx(), withdrawal] }).data
    expect(inTxs).toEqual([
      {
        txHash: '0xd1',
        fee: '500000000000000',
        feeUsd: '1.000000',
        block: 12,
        type: 'onchain',
        chainId: 1,
        timestamp: 1_790_000_000,
        status: 'success',
        data: { from: USER, to: '0xdd', data: '0x01', value: '0' },
        stateChanges: [],
      },
    ])
    expect(outTxs.map(({ txHash }) => txHash)).toEqual(['0xf1'])
    // The destination's native currency has no price in the quote.
    expect(outTxs[0]).not.toHaveProperty('feeUsd')
  })

  it('a deposit that was reorged away says so in metadata.reorg', () => {
    const reorg = { detectedAt: 1_790_000_000_500, source: 'header', reason: 'reorged' }
    const { inTxs } = build({ txs: [txOf({ status: 'failure', reorg })] }).data
    expect(inTxs[0]).toMatchObject({ status: 'failure', metadata: { reorg } })
  })

  it('the fill that failed: reverted, or sent and never included; none after a success (C.2)', () => {
    const reverted = fillTx({ status: 'failure' })
    const of = (more: Partial<RecordFacts>) => build({ status: 'refund', ...more }).data
    expect(of({ txs: [reverted] })).toMatchObject({
      failedTxHash: '0xf1',
      failedTxBlockNumber: 12,
      failedCallData: { from: USER, to: '0xdd', data: '0x01', value: '0' },
    })
    const lost = fillTx({ status: 'pending', blockHeight: null, blockTime: null, data: null })
    expect(of({ txs: [lost], failReason: 'TRANSACTION_NOT_INCLUDED' })).toMatchObject({
      failedTxHash: '0xf1',
      failedTxBlockNumber: null,
      failedCallData: null,
    })
    expect(of({ txs: [lost], failReason: 'TRANSACTION_SUBMISSION_FAILED' }).failedTxHash).toBeNull()
    expect(of({ status: 'success', txs: [reverted] }).failedTxHash).toBeNull()
  })

  it('hashes of TON origins are 64 bare hex digits (rule 5)', () => {
    const bare = 'ab'.repeat(32)
    const { inTxs } = build({ txs: [txOf({ chainId: 3, txId: `0x${bare.toUpperCase()}` })] }).data
    expect(inTxs[0]?.txHash).toBe(bare)
    const { outTxs } = build({ txs: [fillTx({ chainId: 3, txId: `0x${bare.toUpperCase()}` })] }).data
    expect(outTxs[0]?.txHash).toBe(`0x${bare.toUpperCase()}`)
  })
})

describe('what is set from outside or agreed', () => {
  it('depositAddress is an object with all its fields; refundTo is told with it (wire.md 3.1)', () => {
    const terms = { ...factsWith().terms, address: { type: 'strict' as const, refundToSender: false } }
    const paid = {
      depositAddress: '0xda',
      depositor: '0xde',
      transferTx: '0x77',
      recoveryAddress: '0xcc',
      txs: [txOf()],
    }
    const { depositAddress, refundTo } = build({ ...paid, terms })
    expect(depositAddress).toEqual({
      address: '0xda',
      type: 'strict',
      depositor: '0xde',
      depositTxHash: '0x77',
      recoveryAddress: '0xcc',
    })
    expect(refundTo).toBe(USER)
    expect(build({ depositAddress: '0xda' }).depositAddress).toMatchObject({ type: 'open', recoveryAddress: null })
  })

  it('the partner identifier stands under its configured name (K.3 7)', () => {
    expect(build({ externalMetadata: { moonpayId: 'mp-1', other: 'x' } }).data.externalMetadata).toEqual({
      moonpayId: 'mp-1',
    })
    const renamed = buildRecord(factsWith({ externalMetadata: { partner: 'p' } }), {
      ...CONTEXT,
      partnerKey: 'partner',
    })
    expect(renamed.data.externalMetadata).toEqual({ partner: 'p' })
  })

  it('quoteOraclePrice is told to everyone; nothing of the owner is in it', () => {
    const price = { rate: '1', observedAt: '2026-09-21T14:13:20.000Z', inputCurrency: {}, outputCurrency: {} }
    const record = build({ quoted: { ...QUOTED, quoteOraclePrice: price, platformFee: { secret: 1 } }, referrer: 'me' })
    expect(record.data.quoteOraclePrice).toEqual(price)
    expect(JSON.stringify(record)).not.toMatch(/secret|"me"|referrer|platformFee/)
  })

  it('app fees say recipient, share and amount, and what the fill earned; quoted without actual was not collected (D.7)', () => {
    const fee = (recipient: string, bps: string, amount: string) => ({ recipient, bps, amount })
    const appFees = [
      fee('0xF0', '10', '100000'),
      fee('0xf1', '5', '50000'),
      fee('0xf0', '10', '100000'),
      fee('0xf2', '1', '9'),
    ]
    const quoted = { ...QUOTED, appFees }
    expect(build({ quoted }).data.appFees).toMatchObject({
      quoted: appFees.map((item) => ({ ...item, amountFormatted: expect.any(String) })),
      actual: [],
      currency: { address: USDC_1 },
    })
    const earned = (holder: string, kind: string, bps: string, amount: string) => ({ holder, kind, bps, amount })
    const list = [
      earned('0xf0', 'app', '10', '160001'),
      earned('0xf1', 'app', '5', '40000'),
      earned('0xf2', 'integrator', '1', '9'),
    ]
    const payouts = [payoutOf({ data: { earnings: { chainId: 1, currency: USDC_1, list } } })]
    const { data } = build({ ...filled, payouts, quoted })
    expect(data.appFees.actual).toEqual([
      { ...fee('0xF0', '10', '80000'), amountFormatted: '0.08', amountUsd: '0.080000' },
      { ...fee('0xf1', '5', '40000'), amountFormatted: '0.04', amountUsd: '0.040000' },
      { ...fee('0xf0', '10', '80001'), amountFormatted: '0.080001', amountUsd: '0.080001' },
    ])
    expect(data.fees.actual?.app).toEqual({ usd: '-0.200001' })
    expect(build({ ...filled, quoted }).data.appFees.actual).toEqual([])
  })

  it('a request of every currency: the fee currency of the quote is the shared one', () => {
    expect(build().data.fees.currency.chainId).toBe(1)
    expect(build().data.route.quoted.destination?.outputCurrency?.currency.address).toBe(USDC_2)
  })
})
